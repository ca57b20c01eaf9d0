// Keys, and the list of them.
import { el } from "./dom.js";

const actions = {
  " ": (v) => v.toggle(),
  ArrowLeft: (v, e) => v.step(e.shiftKey ? -10 : -1),
  ArrowRight: (v, e) => v.step(e.shiftKey ? 10 : 1),
  Home: (v) => v.seek(v.data.span[0]),
  End: (v) => v.seek(v.data.span[1]),
  "+": (v) => v.faster(1),
  "-": (v) => v.faster(-1),
  l: (v) => v.setLoop(!v.loop),
  n: (v) => v.cycle(1),
  p: (v) => v.cycle(-1),
  Escape: (v) => { v.select(null); v.helpBox.hidden = true; },
  r: (v) => v.look("home"),
  1: (v) => v.look("front"),
  2: (v) => v.look("side"),
  3: (v) => v.look("top"),
  j: (v) => v.setLayers({ joints: !v.layers.joints }),
  a: (v) => v.setLayers({ forces: !v.layers.forces }),
  q: (v) => v.setLayers({ torques: !v.layers.torques }),
  w: (v) => v.setLayers({ weights: !v.layers.weights }),
  f: (v) => v.setLayers({ frames: !v.layers.frames }),
  t: (v) => v.setLayers({ traces: !v.layers.traces }),
  g: (v) => v.setLayers({ ghost: !v.layers.ghost }),
  x: (v) => v.setLayers({ glass: !v.layers.glass }),
  c: (v) => v.setLayers({ follow: !v.layers.follow }),
  d: (v) => v.setTheme(v.theme === "dark" ? "light" : "dark"),
  i: (v) => v.toggleSide(),
  b: (v) => v.setLayers({ labels: !v.layers.labels }),
  h: (v) => v.selected && v.setEye([v.selected], v.selected.isHidden),
  z: (v, e) => v.charts.zoom(e.shiftKey ? 2 : 0.5),
  u: (v) => v.charts.look(...v.data.span),
  s: (v) => v.charts.panels.forEach((own) => v.charts.setSpectrum(own, !own.isSpectrum)),
  "?": (v) => v.toggleHelp(),
};

/** Let keys act wherever nothing is being typed. */
export function bindKeys(viewer) {
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    if (target.matches?.("select, input:not([type=range]):not([type=checkbox]), textarea")) return;
    if (target.matches?.("button, summary") && [" ", "Enter"].includes(event.key)) return;
    const act = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    act(viewer, event);
    event.preventDefault();
  });
}

const words = [
  ["drag · right drag · wheel", "turn · shift · come nearer"],
  ["space", "play or pause"],
  ["← →", "one frame; with shift ten"],
  ["Home End", "start, end"],
  ["+ −", "faster, slower"],
  ["L", "loop"],
  ["click, N, P", "select; the next, the one before"],
  ["Esc", "deselect"],
  ["R 1 2 3 C", "home, front, side, top view; follow what is selected"],
  ["J F T G X", "joints, frames, traces, ghost, see-through"],
  ["A Q W", "forces, torques, weights"],
  ["B", "names of the bodies"],
  ["H", "hide what is selected, or let it be seen"],
  ["Z, shift Z, U", "curves: nearer, farther, all of the time"],
  ["S", "curves: spectra"],
  ["D I", "light or dark, side panel"],
];

/** Box that tells the keys. */
export function help() {
  const rows = words.map(([keys, text]) => el("tr", {}, el("th", {}, keys), el("td", {}, text)));
  return el("div", { class: "help", hidden: true }, el("table", {}, ...rows));
}
