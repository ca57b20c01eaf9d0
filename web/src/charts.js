// Curves over time with a cursor that runs along, or their spectra; all panels show the same time.
import { el, number, svg, unit } from "./dom.js";
import { csv, picture, save } from "./save.js";
import { spectrum } from "./spectrum.js";
import { engineering } from "./units.js";
import { array } from "./unpack.js";

const MOST_EVENTS = 80; // as lines among the curves
const LEFT = 58, RIGHT = 22, TOP = 6, FOOT = 20;
const DENSE = 8; // points up and down on a column of the screen from which on an envelope is drawn
const CLOSEST = 1e-5; // part of the whole time that can be seen at least
const QUIET = 2e-3; // of the largest amplitude: what a spectrum need not show at its end
const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

/** Round numbers from low to high with their texts, at most about n. */
export function ticks(low, high, n) {
  const raw = (high - low) / Math.max(n, 1), power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((k) => k * power).find((s) => s >= raw * 0.999);
  const digits = Math.max(0, Math.ceil(-Math.log10(step * 1.0001) + (step / power === 2.5 ? 1 : 0)));
  const large = Math.max(Math.abs(low), Math.abs(high));
  const out = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) {
    const value = k * step;
    const text = k === 0 ? "0" : large >= 1e5 || large < 1e-3
      ? value.toExponential(1).replace("e+", "e") : value.toFixed(digits);
    out.push([value, text.replace("-", "−")]);
  }
  return out;
}

/** Least and largest of some numbers, with a little room. */
function range(lists, isFromZero) {
  let low = isFromZero ? 0 : Infinity, high = -Infinity;
  for (const ys of lists)
    for (const y of ys) { if (y < low) low = y; if (y > high) high = y; }
  if (!(low <= high)) return [0, 1];
  const least = 1e-9 * Math.max(Math.abs(low), Math.abs(high), 1e-12);
  const room = high - low > least ? 0.06 * (high - low) : 0.5 * Math.abs(high) || 1;
  return [isFromZero ? 0 : low - room, high + room];
}

/** First and last place of a curve that a window shows, one more on either side. */
function shown({ xs }, [begin, end]) {
  let first = 0, last = xs.length - 1;
  while (first < last && xs[first + 1] < begin) first++;
  while (last > first && xs[last - 1] > end) last--;
  return [first, last];
}

export class Charts {
  constructor(place, panels, span, events, seek) {
    Object.assign(this, { place, span, events, seek, t: span[0], window: [...span], panels: [] });
    for (const panel of panels) this.add(panel);
  }

  /** Unpack the curves and draw them, now and whenever there is another width. */
  begin() {
    for (const { curves } of this.panels) for (const own of curves) this.unpack(own);
    this.ready = true;
    new ResizeObserver(() => this.draw()).observe(this.place);
    this.draw();
  }

  unpack(curve) {
    curve.xs ??= array(curve.times);
    curve.ys ??= array(curve.values);
  }

  add(given) {
    const panel = this.panel(given);
    this.panels.push(panel);
    if (this.ready) for (const own of panel.curves) this.unpack(own);
    this.arrange();
  }

  remove(panel) {
    panel.figure.remove();
    this.panels = this.panels.filter((own) => own !== panel);
    this.arrange();
  }

  arrange() {
    this.place.hidden = !this.panels.length;
    this.place.style.setProperty("--n", this.panels.length);
    if (this.ready) this.draw();
  }

  /** Show a quantity in a panel of its own, or take it away again. */
  toggle(label, name, own, course) {
    const there = this.panels.find((panel) => panel.chosen === name);
    if (there) return this.remove(there);
    const curve = { name, label, colour: COLOURS[this.panels.length % COLOURS.length], ...course };
    return this.add({ label: `${name} [${unit(own)}]`, unit: own, curves: [curve], chosen: name });
  }

  panel(given) {
    const curves = given.curves.map((curve) => {
      const value = el("b");
      const key = svg("svg", { viewBox: "0 0 18 8", class: "key" }, svg("line", { x1: 0, x2: 18,
        y1: 4, y2: 4, stroke: curve.colour, class: curve.dashed ? "dashed" : "" }));
      const label = el("span", { class: "curve" }, key, `${curve.label} `, value);
      return { ...curve, value, place: label };
    });
    const drawing = svg("svg", { class: "plot", role: "img", "aria-label": given.label });
    const cursor = el("i", { class: "cursor" }), band = el("i", { class: "band", hidden: true });
    const frame = el("div", { class: "frame",
      title: "drag: time; shift and drag, or ctrl and wheel: nearer; double click: all" },
      drawing, band, cursor);
    const title = el("span", { class: "axis" }, given.label);
    const own = { ...given, curves, drawing, cursor, band, frame, title, isSpectrum: false };
    const press = (text, what, onclick) => el("button", { type: "button", title: what,
      "aria-label": `${what}: ${given.label}`, onclick }, text);
    own.spectrumButton = press("∿", "spectrum", () => this.setSpectrum(own, !own.isSpectrum));
    const stem = given.label.replace(/\s*\[.*$/, "") || "chart";
    const tools = el("span", { class: "do" }, own.spectrumButton,
      press("CSV", "save the numbers", () => save(`${stem}.csv`, this.numbers(own), "text/csv")),
      press("SVG", "save the picture", () =>
        save(`${stem}.svg`, picture(own.drawing, given.label), "image/svg+xml")),
      press("×", "remove", () => this.remove(own)));
    own.figure = el("figure", { class: "chart" },
      el("figcaption", {}, title, ...curves.map((c) => c.place), tools), frame);
    this.place.append(own.figure);
    this.listen(own);
    return own;
  }

  listen(own) {
    const { frame, band } = own;
    const share = (event) => Math.min(Math.max(
      (event.clientX - frame.getBoundingClientRect().left - LEFT) / (own.width - LEFT - RIGHT), 0), 1);
    const time = (event) => this.window[0] + share(event) * (this.window[1] - this.window[0]);
    let from = null;
    frame.addEventListener("pointerdown", (event) => {
      frame.setPointerCapture(event.pointerId);
      if (own.isSpectrum) return;
      if (event.shiftKey) from = share(event);
      else this.seek(time(event));
    });
    frame.addEventListener("pointermove", (event) => {
      if (!event.buttons || own.isSpectrum) return;
      if (from === null) { this.seek(time(event)); return; }
      const [a, b] = [from, share(event)].sort((x, y) => x - y), wide = own.width - LEFT - RIGHT;
      band.hidden = false;
      Object.assign(band.style, { left: `${LEFT + a * wide}px`, width: `${(b - a) * wide}px` });
    });
    frame.addEventListener("pointerup", (event) => {
      if (from === null) return;
      const [begin, end] = this.window, [a, b] = [from, share(event)].sort((x, y) => x - y);
      from = null;
      band.hidden = true;
      if (b - a > 0.01) this.look(begin + a * (end - begin), begin + b * (end - begin));
    });
    frame.addEventListener("dblclick", () => this.look(...this.span));
    frame.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.shiftKey) return;
      event.preventDefault();
      this.zoom(1.2 ** Math.sign(event.deltaY || event.deltaX), time(event));
    }, { passive: false });
  }

  /** Show the time around t, by a factor more or less than now. */
  zoom(factor, t = this.t) {
    const [begin, end] = this.window, at = Math.min(Math.max(t, begin), end);
    this.look(at + factor * (begin - at), at + factor * (end - at));
  }

  /** Show a time from begin to end in all panels. */
  look(begin, end) {
    const [first, last] = this.span, least = CLOSEST * (last - first);
    let low = Math.max(begin, first), high = Math.min(end, last);
    if (high - low < least) [low, high] = [Math.max(first, low - least), Math.min(last, high + least)];
    this.window = [low, high];
    this.draw();
  }

  setSpectrum(panel, on) {
    panel.isSpectrum = on;
    panel.spectrumButton.setAttribute("aria-pressed", String(on));
    panel.cursor.hidden = on;
    this.draw();
  }

  numbers(panel) {
    if (!panel.isSpectrum) return csv(panel.curves, "time [s]", unit(panel.unit), valueAt);
    const curves = panel.lines.map(({ curve, xs, ys }) => ({ label: curve.label, xs, ys }));
    return csv(curves, "frequency [Hz]", unit(panel.unit), valueAt);
  }

  draw() {
    if (!this.ready) return;
    this.panels.forEach((panel, k) => {
      panel.isLast = k === this.panels.length - 1;
      this.drawOne(panel);
    });
    this.update(this.t);
  }

  /** Curves as they are drawn: xs, ys from first to last. */
  lines(panel) {
    const [begin, end] = this.window;
    if (!panel.isSpectrum)
      return panel.curves.map((curve) => ({ curve, xs: curve.xs, ys: curve.ys, ends: shown(curve, this.window) }));
    return panel.curves.map((curve) => {
      const [first, last] = shown(curve, this.window);
      const own = spectrum((t) => valueAt(curve, t), begin, end, 2 * (last - first));
      return { curve, ...own, ends: [0, own.xs.length - 1] };
    });
  }

  drawOne(panel) {
    const width = panel.frame.clientWidth, height = panel.frame.clientHeight;
    if (!width || !height) return;
    panel.width = width;
    const lines = panel.lines = this.lines(panel), spectral = panel.isSpectrum;
    const [low, high] = range(lines.map(({ ys, ends: [a, b] }) => ys.subarray(a, b + 1)), spectral);
    const { factor, unit: own } = engineering(panel.unit, Math.max(Math.abs(low), Math.abs(high)));
    Object.assign(panel, { factor, own, least: 1e-9 * (high - low) });
    panel.title.textContent = panel.label.replace(/\[.*\]$/, `[${unit(own)}]`)
      + (spectral ? ", amplitudes" : "");
    let [begin, end] = spectral ? [0, loudest(lines)] : this.window;
    const long = end - begin || 1, hasFoot = panel.isLast || spectral;
    const bottom = height - (hasFoot ? FOOT : 6);
    const across = (t) => LEFT + ((t - begin) / long) * (width - LEFT - RIGHT);
    const up = (y) => bottom - ((y - low) / (high - low)) * (bottom - TOP);
    const parts = [];
    for (const [y, text] of ticks(low * factor, high * factor, Math.max(3, (bottom - TOP) / 26))) {
      const at = up(y / factor);
      parts.push(svg("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: at, y2: at }));
      parts.push(svg("text", { x: LEFT - 7, y: at + 3.5, "text-anchor": "end" }, text));
    }
    for (const [t, text] of ticks(begin, begin + long, width / 90)) {
      const x = across(t);
      parts.push(svg("line", { class: "grid", x1: x, x2: x, y1: TOP, y2: bottom }));
      if (hasFoot) parts.push(svg("text", { x, y: height - 6, "text-anchor": "middle" },
        `${text} ${spectral ? "Hz" : "s"}`));
    }
    for (const event of !spectral && this.events.length <= MOST_EVENTS ? this.events : []) {
      const x = across(event.time);
      if (event.time < begin || event.time > end) continue;
      parts.push(svg("line", { class: "event", x1: x, x2: x, y1: TOP, y2: bottom }));
    }
    const clip = `clip${(Charts.clips = (Charts.clips ?? 0) + 1)}`;
    parts.push(svg("clipPath", { id: clip }, svg("rect", { x: LEFT, y: 0, width: Math.max(width - LEFT - RIGHT, 0), height })));
    const group = svg("g", { "clip-path": `url(#${clip})` });
    for (const line of lines) group.append(...drawn(line, across, up));
    panel.drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    panel.drawing.replaceChildren(...parts, group);
    for (const mark of [panel.cursor, panel.band])
      Object.assign(mark.style, { top: `${TOP}px`, height: `${bottom - TOP}px` });
    panel.across = spectral ? null : across;
  }

  /** Move the cursor, and tell the values there. */
  update(t, inWords = true) {
    this.t = t;
    if (!this.ready) return;
    const isSeen = t >= this.window[0] && t <= this.window[1];
    for (const panel of this.panels) {
      panel.cursor.hidden = !panel.across || !isSeen;
      if (panel.across && isSeen) panel.cursor.style.transform = `translateX(${panel.across(t)}px)`;
      const { factor = 1, own = panel.unit } = panel;
      for (const curve of inWords ? panel.curves : [])
        curve.value.textContent = `${number(factor * valueAt(curve, t), factor * panel.least)} ${unit(own)}`;
    }
  }
}

/** Frequency beyond which spectra have nothing to show. */
function loudest(lines) {
  let end = 0;
  const peak = Math.max(...lines.map(({ ys }) => ys.reduce((a, b) => Math.max(a, b), 0)), 1e-300);
  for (const { xs, ys } of lines)
    for (let k = ys.length - 1; k > 0; k--)
      if (ys[k] > QUIET * peak) { end = Math.max(end, xs[k]); break; }
  return 1.15 * end || lines[0]?.xs.at(-1) || 1;
}

/** Paths of a curve: a line, or where points are dense what lies between least and largest. */
function drawn({ curve, xs, ys, ends: [first, last] }, across, up) {
  const { colour, dashed } = curve;
  const wide = across(xs[last]) - across(xs[first]);
  let way = 0; // up and down on the screen, all in all
  for (let k = first; k < last; k++) way += Math.abs(up(ys[k + 1]) - up(ys[k]));
  if (last - first < 2 * wide || way < DENSE * wide || !(wide > 0)) {
    let d = "";
    for (let k = first; k <= last; k++)
      d += `${k > first ? "L" : "M"}${across(xs[k]).toFixed(1)} ${up(ys[k]).toFixed(1)}`;
    return [svg("path", { d, stroke: colour, class: dashed ? "line dashed" : "line" })];
  }
  const columns = new Map();
  for (let k = first; k <= last; k++) {
    const x = Math.round(across(xs[k])), y = up(ys[k]), own = columns.get(x);
    if (!own) columns.set(x, [y, y]);
    else { own[0] = Math.min(own[0], y); own[1] = Math.max(own[1], y); }
  }
  const over = [...columns].map(([x, [y]]) => `${x} ${y.toFixed(1)}`);
  const under = [...columns].map(([x, [, y]]) => `${x} ${y.toFixed(1)}`).reverse();
  return [svg("path", { d: `M${[...over, ...under].join("L")}Z`, stroke: colour, fill: colour,
    class: "line envelope" })];
}

/** Value of a curve at a time, linear between its points, the later one where time is doubled. */
function valueAt({ xs, ys }, t) {
  const last = xs.length - 1;
  if (last < 0) return NaN;
  let low = 0, high = last;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (xs[middle] <= t) low = middle;
    else high = middle - 1;
  }
  if (low === last || t <= xs[low]) return ys[low];
  const s = (t - xs[low]) / (xs[low + 1] - xs[low]);
  return ys[low] + s * (ys[low + 1] - ys[low]);
}
