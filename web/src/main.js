// The page of a solution: one stage, one clock, everything linked to both.
import * as THREE from "three";
import { Bar, speeds } from "./bar.js";
import { Charts } from "./charts.js";
import { el, icon, number } from "./dom.js";
import { bindKeys, help } from "./keys.js";
import { Machine } from "./machine.js";
import { Panel } from "./panel.js";
import { Pointer } from "./pointer.js";
import { PLAIN, Quality, REST, STEPS } from "./quality.js";
import { photograph } from "./save.js";
import * as solids from "./solids.js";
import { Stage } from "./stage.js";
import style from "./style.css";
import { array } from "./unpack.js";

const REST_AFTER = 350; // [ms]
const WORDS = 60; // least time between numbers that are told while it plays [ms]
const VIEWS = { front: [8, -90], side: [8, 0], top: [89.9, -90], home: null };

export class Viewer {
  constructor(root, data, options = {}) {
    Object.assign(this, { root, data, time: data.span[0], speed: data.speed, loop: true,
      playing: false, selected: null, hovered: null, options });
    this.layers = { joints: true, traces: true, ghost: true, frames: false, forces: false,
      torques: false, weights: false, glass: false, follow: false, labels: false, ...data.layers };
    this.timing = { frames: 0, update: 0, draw: 0 };
    root.classList.add("jourdain");
    this.build();
    this.stage.wake = () => this.wake();
    this.quality.to(this.quality.level);
    this.setTheme(options.theme ?? data.theme);
    this.setLayers({});
    bindKeys(this);
    this.pointer = new Pointer(this);
    this.show(this.time);
    const media = window.matchMedia?.("(prefers-color-scheme: dark)");
    media?.addEventListener?.("change", () => this.wished === "auto" && this.setTheme("auto"));
    if (data.autoplay && !this.still) this.toggle(true);
  }

  /** Whether there is only one moment. */
  get still() {
    return !(this.data.span[1] > this.data.span[0]);
  }

  build() {
    const { root, data } = this;
    const part = (name) => el("div", { class: name });
    this.view = part("view");
    this.tip = el("div", { class: "tip", hidden: true, role: "status" });
    this.legend = el("div", { class: "legend" });
    this.side = el("aside", { class: "side" });
    this.chartPlace = this.options.charts ?? part("charts");
    const bar = part("bar");
    const title = el("header", {}, el("h1", {}, data.title), el("p", {}, data.subtitle));
    root.append(this.view, this.side);
    if (!this.options.charts) root.append(this.chartPlace);
    if (!this.still) root.append(bar);
    root.classList.toggle("still", this.still);
    const wished = STEPS.findIndex((step) => step.name === this.options.quality);
    this.stage = new Stage(this.view, data, wished >= 0 && STEPS[wished].careful);
    const meshes = data.meshes.map((m) => (
      { points: array(m.points), triangles: array(m.triangles) }));
    [this.machine, ...this.ghosts] = data.solutions.map(
      (own, k) => new Machine(own, meshes, data.machine, k > 0, data.size));
    for (const own of [this.machine, ...this.ghosts]) this.stage.world.add(own.group);
    this.pace = el("output", { class: "pace" });
    this.view.append(title, this.tools(), this.tip, this.legend, this.pace);
    if (data.incomplete) this.view.append(el("div", { class: "stamp" }, "INCOMPLETE"));
    const best = this.stage.isSlow ? PLAIN : 0, isFixed = wished >= (this.stage.isFlat ? PLAIN : 0);
    this.quality = new Quality((step) => this.care(step), isFixed ? wished : best, isFixed, best);
    this.charts = new Charts(this.chartPlace, data.charts, data.span, data.events,
      (t) => { this.toggle(false); this.seek(t); });
    this.panel = new Panel(this.side, this);
    this.bar = this.still ? null : new Bar(bar, this);
  }

  tools() {
    const press = (name, title, onclick) =>
      el("button", { type: "button", title, "aria-label": title, onclick }, icon(name));
    const { machine } = this;
    const has = (kind) => machine.data.arrows.some((arrow) => arrow.kind === kind);
    const offered = { joints: ["Joints", machine.joints.length],
      frames: ["Frames", machine.frames.length],
      forces: ["Forces", has("force")],
      torques: ["Torques", has("torque")],
      weights: ["Weights", has("weight")],
      traces: ["Traces", machine.traces.length], ghost: ["Ghost", this.ghosts.length],
      glass: ["See-through", true], labels: ["Labels", true], follow: ["Follow selected", !this.still] };
    this.switches = {};
    const boxes = Object.entries(offered).filter(([, [, there]]) => there).map(([key, [word]]) => {
      const box = el("input", { type: "checkbox",
        onchange: () => this.setLayers({ [key]: box.checked }) });
      this.switches[key] = box;
      return el("label", {}, box, word);
    });
    const views = Object.keys(VIEWS).map((name) => el("button", { type: "button",
      onclick: () => this.look(name) }, name));
    const menu = el("details", { class: "menu" }, el("summary", { title: "what to show" }, "View"),
      el("div", {}, ...boxes, this.careful(), el("div", { class: "views" }, ...views)));
    this.helpBox = help();
    this.view.append(this.helpBox);
    return el("nav", { class: "tools" }, menu, press("fit", "all in sight (Home view: R)",
      () => this.look("home")), press("camera", "save a picture", () =>
      photograph(this.stage, this.data.title)), press("theme", "light or dark (D)", () => this.setTheme(
      this.theme === "dark" ? "light" : "dark")), press("panel", "parts and values (I)",
      () => this.toggleSide()), press("help", "keys (?)", () => this.toggleHelp()));
  }

  /** Choice of how much care is taken in drawing. */
  careful() {
    this.careBox = el("select", { onchange: () => this.quality.fix(this.careBox.value) },
      ...["auto", ...STEPS.map((step) => step.name)].map((name) => el("option", { value: name }, name)));
    return el("label", { title: "how finely it is drawn" }, "Quality", this.careBox);
  }

  look(name) {
    this.stage.look(...(VIEWS[name] ?? this.data.view), this.nearby());
  }

  /** Where the machine is now, if it travels and the camera goes along. */
  nearby() {
    const { layers, machine, data } = this;
    if (!layers.follow || data.machine > 0.7 * data.size) return null;
    const place = new THREE.Vector3(), own = new THREE.Vector3(), { bodies } = machine;
    for (const body of bodies) place.addScaledVector(body.object.getWorldPosition(own), 1 / bodies.length);
    return { place, distance: 0.27 * data.machine };
  }

  toggleSide() {
    this.root.classList.toggle("narrow");
  }

  toggleHelp() {
    this.helpBox.hidden = !this.helpBox.hidden;
  }

  setTheme(name) {
    this.wished = name;
    const dark = window.matchMedia?.("(prefers-color-scheme: dark)").matches;
    this.theme = name === "auto" ? (dark ? "dark" : "light") : name;
    document.documentElement.dataset.theme = this.theme;
    this.stage.theme(this.theme);
    this.machine.theme(this.theme);
    this.stage.changed = true;
  }

  /** Switch layers on and off. */
  setLayers(change) {
    Object.assign(this.layers, change);
    const { layers, machine } = this;
    machine.show(layers);
    for (const ghost of this.ghosts) ghost.group.visible = layers.ghost;
    if (!layers.follow) this.carried = null;
    for (const [key, box] of Object.entries(this.switches)) box.checked = layers[key];
    this.legend.replaceChildren(...this.data.scales.filter((s) => layers[s.layer]).map((s) => {
      const line = el("i");
      line.style.background = s.colour;
      return el("span", {}, line, `${s.text}`);
    }));
    this.setMarks();
    this.show(this.time);
  }

  /** Let the triad of the selected body be seen. */
  setMarks() {
    for (const own of this.machine.frames)
      own.mesh.visible = this.layers.frames || (own.name === this.selected?.name);
  }

  select(thing) {
    this.selected = thing;
    this.machine.highlight(this.selected, this.hovered);
    this.panel.select(thing);
    this.setMarks();
    if (thing) this.root.classList.add("chosen");
    else this.root.classList.remove("chosen");
    this.stage.changed = true;
  }

  /** Let things be seen, or not. */
  setEye(things, open) {
    this.machine.setEye(things, open);
    this.panel.tellEyes();
    this.stage.changed = true;
  }

  /** Change colour or opacity of bodies. */
  dye(bodies, change) {
    for (const body of bodies) this.machine.dye(body, change);
    this.panel.tellColours(bodies);
    this.stage.changed = true;
  }

  hover(thing) {
    if (this.hovered === thing) return;
    this.hovered = thing;
    this.machine.highlight(this.selected, thing);
    this.stage.changed = true;
  }

  /** Select the next or the one before. */
  cycle(way) {
    const { things } = this.machine, n = things.length;
    if (!n) return;
    const at = things.indexOf(this.selected);
    this.select(things[(at < 0 ? (way > 0 ? 0 : n - 1) : at + way + n) % n]);
  }

  toggle(on = !this.playing) {
    const { span } = this.data;
    if (this.still) return;
    if (on && !this.playing && this.time >= span[1]) this.seek(span[0]);
    this.playing = on;
    this.before = undefined;
    this.bar?.update();
    this.wake();
  }

  seek(t) {
    const [begin, end] = this.data.span;
    this.show(Math.min(Math.max(t, begin), end));
  }

  step(n) {
    this.toggle(false);
    this.seek(this.time + n * this.data.step);
  }

  setSpeed(speed) {
    this.speed = speed;
    this.bar?.update();
  }

  faster(way) {
    const at = speeds.findIndex((s) => s >= this.speed);
    this.setSpeed(speeds[Math.min(Math.max(at + way, 0), speeds.length - 1)]);
  }

  setLoop(on) {
    this.loop = on;
    this.bar?.update();
  }

  show(t) {
    this.time = t;
    this.machine.update(t);
    if (this.layers.follow) this.carry();
    for (const ghost of this.ghosts) if (ghost.group.visible) ghost.update(t);
    const now = performance.now();
    const inWords = !this.playing || now - (this.said ?? 0) > WORDS; // numbers that run are not read
    if (inWords) this.said = now;
    this.charts?.update(t, inWords);
    if (inWords) this.panel?.update();
    this.bar?.update(inWords);
    this.stage.move();
  }

  /** Let the camera go along with the selected body, or with the first one. */
  carry() {
    const thing = this.selected?.object ?? this.machine.bodies[0].object;
    const now = thing.getWorldPosition(new THREE.Vector3());
    if (this.carried?.thing === thing) {
      const way = now.clone().sub(this.carried.place);
      this.stage.camera.position.add(way);
      this.stage.controls.target.add(way);
      this.stage.touched = true;
    }
    this.carried = { thing, place: now };
  }

  advance(now) {
    const { span } = this.data, elapsed = Math.min((now - (this.before ?? now)) / 1000, 0.1);
    this.before = now;
    let t = this.time + elapsed * this.speed;
    if (t >= span[1]) {
      if (this.loop) t = span[0] + ((t - span[0]) % (span[1] - span[0]));
      else { t = span[1]; this.playing = false; }
    }
    this.show(t);
  }

  /** Ask for the next frame, where there is none under way. */
  wake() {
    this.asked ??= requestAnimationFrame((now) => { this.asked = undefined; this.frame(now); });
  }

  frame(now) {
    const start = performance.now(), { stage } = this;
    this.pointer.look();
    if (this.playing) this.advance(now);
    stage.controls.update();
    const middle = performance.now();
    if (stage.changed) {
      if (this.drawn) this.quality.tick(now - this.drawn);
      if (this.isResting && (stage.moved || stage.turned)) this.care(this.quality.step);
      this.follow();
      stage.render();
      this.label();
      this.timing.started ??= performance.now();
      this.timing.frames += 1;
      this.timing.update += middle - start;
      this.timing.draw += performance.now() - middle;
      this.tellPace(now);
      if (this.options.bare) this.keep();
      if (!this.ready) setTimeout(() => this.finish());
    }
    this.drawn = this.asked || this.playing ? now : undefined;
    if (this.playing) this.wake();
    else this.rest();
  }

  /** Do what the first picture need not wait for. */
  finish() {
    if (this.ready) return;
    this.ready = true;
    this.charts?.begin();
    this.charts?.update(this.time);
  }

  /** Draw with the care of a step. */
  care(step) {
    this.isResting = step === REST;
    for (const own of [this.machine, ...this.ghosts]) own.care(step);
    this.stage.care(step);
    this.careBox.value = this.quality.fixed ? step.name : "auto";
  }

  /** Draw once more, with fine edges, when nothing has moved for a while. */
  rest() {
    clearTimeout(this.resting);
    if (this.isResting || this.quality.fixed || this.quality.step.careful) return;
    this.resting = setTimeout(() => {
      if (this.playing || this.asked) return;
      this.care(REST);
      this.stage.render();
    }, REST_AFTER);
  }

  /** Tell how it is drawn, where that is not with full care. */
  tellPace(now) {
    this.paced ??= { now, frames: this.timing.frames };
    if (now - this.paced.now < 1000) return;
    const rate = (1000 * (this.timing.frames - this.paced.frames)) / (now - this.paced.now);
    this.paced = { now, frames: this.timing.frames };
    const { step, level } = this.quality;
    this.pace.textContent = level && this.playing ? `${step.name} · ${Math.round(rate)}/s` : "";
  }

  /** Leave the picture as an image, which a browser without a window is sure to show. */
  keep() {
    this.kept ??= this.view.appendChild(el("img", { class: "kept", alt: this.data.title }));
    this.kept.src = this.stage.canvas.toDataURL("image/png");
  }

  /** Names of the bodies that are seen, beside them. */
  label() {
    if (!this.layers.labels && !this.labels) return;
    this.labels ??= this.machine.bodies.map((body) => {
      const own = el("span", { class: "label" }, body.name);
      this.view.append(own);
      return own;
    });
    const place = new THREE.Vector3(), { clientWidth: wide, clientHeight: high } = this.view;
    this.machine.bodies.forEach(({ meshes: [mesh], isHidden }, k) => {
      this.labels[k].hidden = !this.layers.labels || isHidden || !mesh;
      if (this.labels[k].hidden) return;
      mesh.geometry.computeBoundingBox();
      mesh.geometry.boundingBox.getCenter(place).applyMatrix4(mesh.matrixWorld).project(this.stage.camera);
      this.labels[k].style.transform = "translate(-50%, -50%) "
        + `translate(${0.5 * (1 + place.x) * wide}px, ${0.5 * (1 - place.y) * high}px)`;
    });
  }

  /** Keep the sun above a machine that travels. */
  follow() {
    if (this.data.machine > 0.7 * this.data.size) return;
    const centre = new THREE.Vector3(), own = new THREE.Vector3(), { bodies } = this.machine;
    for (const body of bodies) centre.add(body.object.getWorldPosition(own));
    this.stage.shineOn(centre.multiplyScalar(1 / bodies.length));
  }

  /** Place of a thing on the screen, for scripts. */
  screen(name) {
    const thing = this.machine.things.find((own) => own.name === name);
    const centre = new THREE.Vector3();
    const surface = thing.meshes[0];
    surface.geometry.computeBoundingBox();
    surface.geometry.boundingBox.getCenter(centre);
    this.stage.camera.updateMatrixWorld();
    surface.updateWorldMatrix(true, false);
    centre.applyMatrix4(surface.matrixWorld).project(this.stage.camera);
    const box = this.stage.canvas.getBoundingClientRect();
    return [box.left + (0.5 + 0.5 * centre.x) * box.width,
      box.top + (0.5 - 0.5 * centre.y) * box.height];
  }

  /** Position and quaternion w, x, y, z of a body as it is drawn, for scripts. */
  pose(name, solution = 0) {
    const machine = [this.machine, ...this.ghosts][solution];
    const { position, quaternion: q } = machine.bodies.find((b) => b.name === name).object;
    return [...position.toArray(), q.w, q.x, q.y, q.z];
  }
}

/** Show data in an element; wishes in the address, such as #t=0.5&theme=dark&play=0, come first. */
export function mount(root, data, options = {}) {
  const wishes = new URLSearchParams(window.location.hash.slice(1));
  const theme = ["light", "dark"].includes(wishes.get("theme")) ? wishes.get("theme") : undefined;
  const autoplay = wishes.has("play") ? wishes.get("play") === "1" : data.autoplay;
  try {
    const bare = /^(\d+)x(\d+)$/.exec(wishes.get("bare") ?? "");
    root.classList.toggle("bare", bare !== null);
    if (bare) Object.assign(root.style, { width: `${bare[1]}px`, height: `${bare[2]}px` });
    const quality = wishes.get("quality") ?? (bare ? "full" : undefined);
    const viewer = new Viewer(root, { ...data, autoplay }, { ...options, theme, bare, quality });
    if (wishes.has("t")) viewer.seek(Number(wishes.get("t")));
    if (viewer.layers.follow) viewer.look("home");
    return viewer;
  } catch (error) {
    root.replaceChildren(el("p", { class: "trouble" },
      `This page cannot show its model. (${error.message})`));
    throw error;
  }
}

const sheet = document.createElement("style");
sheet.textContent = style;
document.head.append(sheet);
export { number, solids };
