// Curves over time with a cursor that runs along.
import { el, number, svg, unit } from "./dom.js";
import { array } from "./unpack.js";

const MOST_EVENTS = 80; // as lines among the curves
const LEFT = 58, RIGHT = 22, TOP = 6, FOOT = 20;

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

export class Charts {
  constructor(place, panels, span, events, seek) {
    Object.assign(this, { place, span, events, seek, t: span[0] });
    place.style.setProperty("--n", panels.length);
    this.panels = panels.map((panel, k) => this.panel(panel, k === panels.length - 1));
  }

  /** Unpack the curves and draw them, now and whenever there is another width. */
  begin() {
    for (const { curves } of this.panels)
      for (const own of curves) Object.assign(own, { xs: array(own.times), ys: array(own.values) });
    this.ready = true;
    new ResizeObserver(() => this.draw()).observe(this.place);
    this.draw();
  }

  panel(given, isLast) {
    const curves = given.curves.map((curve) => {
      const value = el("b");
      const key = svg("svg", { viewBox: "0 0 18 8", class: "key" }, svg("line", { x1: 0, x2: 18,
        y1: 4, y2: 4, stroke: curve.colour, class: curve.dashed ? "dashed" : "" }));
      const label = el("span", { class: "curve" }, key, `${curve.label} `, value);
      return { ...curve, value, label };
    });
    const drawing = svg("svg", { class: "plot", role: "img", "aria-label": given.label });
    const cursor = el("i", { class: "cursor" });
    const frame = el("div", { class: "frame" }, drawing, cursor);
    const title = el("span", { class: "axis" }, given.label);
    this.place.append(el("figure", { class: "chart" },
      el("figcaption", {}, title, ...curves.map((c) => c.label)), frame));
    const own = { ...given, curves, drawing, cursor, frame, isLast };
    const drag = (event) => {
      if (event.type === "pointerdown") frame.setPointerCapture(event.pointerId);
      else if (!event.buttons) return;
      const x = event.clientX - frame.getBoundingClientRect().left;
      const s = Math.min(Math.max((x - LEFT) / (own.width - LEFT - RIGHT), 0), 1);
      this.seek(this.span[0] + s * (this.span[1] - this.span[0]));
    };
    frame.addEventListener("pointerdown", drag);
    frame.addEventListener("pointermove", drag);
    return own;
  }

  draw() {
    for (const panel of this.panels) this.drawOne(panel);
    this.update(this.t);
  }

  drawOne(panel) {
    const width = panel.frame.clientWidth, height = panel.frame.clientHeight;
    if (!width || !height) return;
    panel.width = width;
    let low = Infinity, high = -Infinity;
    for (const { ys } of panel.curves)
      for (const y of ys) { if (y < low) low = y; if (y > high) high = y; }
    if (!(low <= high)) [low, high] = [0, 1];
    const least = 1e-9 * Math.max(Math.abs(low), Math.abs(high), 1e-12);
    const room = high - low > least ? 0.06 * (high - low) : 0.5 * Math.abs(high) || 1;
    [low, high] = [low - room, high + room];
    const [begin, end] = this.span, long = end - begin || 1;
    const bottom = height - (panel.isLast ? FOOT : 6);
    const across = (t) => LEFT + ((t - begin) / long) * (width - LEFT - RIGHT);
    const up = (y) => bottom - ((y - low) / (high - low)) * (bottom - TOP);
    const parts = [];
    for (const [y, text] of ticks(low, high, Math.max(2, (bottom - TOP) / 26))) {
      parts.push(svg("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: up(y), y2: up(y) }));
      parts.push(svg("text", { x: LEFT - 7, y: up(y) + 3.5, "text-anchor": "end" }, text));
    }
    for (const [t, text] of ticks(begin, begin + long, width / 90)) {
      const x = across(t);
      parts.push(svg("line", { class: "grid", x1: x, x2: x, y1: TOP, y2: bottom }));
      if (panel.isLast)
        parts.push(svg("text", { x, y: height - 6, "text-anchor": "middle" }, `${text} s`));
    }
    for (const event of this.events.length <= MOST_EVENTS ? this.events : []) {
      const x = across(event.time);
      parts.push(svg("line", { class: "event", x1: x, x2: x, y1: TOP, y2: bottom }));
    }
    for (const { xs, ys, colour, dashed } of panel.curves) {
      let d = "";
      for (let k = 0; k < xs.length; k++)
        d += `${k ? "L" : "M"}${across(xs[k]).toFixed(1)} ${up(ys[k]).toFixed(1)}`;
      parts.push(svg("path", { d, stroke: colour, class: dashed ? "line dashed" : "line" }));
    }
    panel.drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    panel.drawing.replaceChildren(...parts);
    Object.assign(panel.cursor.style, { top: `${TOP}px`, height: `${bottom - TOP}px` });
    Object.assign(panel, { across, least: 1e-9 * (high - low) });
  }

  /** Move the cursor, and tell the values there. */
  update(t, inWords = true) {
    this.t = t;
    if (!this.ready) return;
    for (const panel of this.panels) {
      if (panel.across) panel.cursor.style.transform = `translateX(${panel.across(t)}px)`;
      for (const curve of inWords ? panel.curves : [])
        curve.value.textContent = `${number(valueAt(curve, t), panel.least)} ${unit(panel.unit)}`;
    }
  }
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
