// The bar below the view: play, step, scrub, speed, loop.
import { el, icon, number } from "./dom.js";

export const speeds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

export class Bar {
  constructor(place, viewer) {
    this.viewer = viewer;
    const { span, events } = viewer.data;
    const press = (name, title, onclick) =>
      el("button", { type: "button", title, "aria-label": title, onclick }, icon(name));
    this.play = press("play", "play or pause (space)", () => viewer.toggle());
    this.slider = el("input", { type: "range", min: span[0], max: span[1], step: "any",
      value: span[0], "aria-label": "time", oninput: () => viewer.seek(+this.slider.value) });
    const marks = el("div", { class: "marks" });
    for (const event of events) {
      const mark = el("i", { title: `${event.name}, ${number(event.time)} s` });
      mark.style.left = `${(100 * (event.time - span[0])) / (span[1] - span[0] || 1)}%`;
      marks.append(mark);
    }
    this.clock = el("output", { class: "clock" });
    this.speed = el("select", { title: "speed (+ and −)", "aria-label": "speed",
      onchange: () => viewer.setSpeed(+this.speed.value) },
      ...speeds.map((s) => el("option", { value: s }, `${s} ×`)));
    this.loop = press("loop", "loop (L)", () => viewer.setLoop(!viewer.loop));
    place.append(this.play, press("back", "step back (←)", () => viewer.step(-1)),
      press("next", "step forward (→)", () => viewer.step(1)),
      el("div", { class: "scrub" }, this.slider, marks), this.clock, this.speed, this.loop);
  }

  update(inWords = true) {
    const { viewer } = this, { span } = viewer.data;
    if (inWords || viewer.quality.step.careful) this.slider.value = viewer.time;
    if (!inWords) return;
    const digits = Math.min(6, Math.max(2, 2 - Math.floor(Math.log10(span[1] - span[0] || 1)) + 1));
    this.clock.textContent = `${viewer.time.toFixed(digits)} / ${number(span[1])} s`;
    const name = viewer.playing ? "pause" : "play";
    if (this.shown !== name) this.play.replaceChildren(icon(name));
    this.shown = name;
    this.speed.value = viewer.speed;
    this.loop.setAttribute("aria-pressed", String(viewer.loop));
  }
}
