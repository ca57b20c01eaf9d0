// How much care is taken in drawing: as much as the frames leave time for.

/** Steps from full care to least; `pixels` for one of the screen, `triangles` at most. */
export const STEPS = [
  { name: "full", pixels: 2, shadow: 2048, careful: true, triangles: Infinity },
  { name: "good", pixels: 1, shadow: 1024, careful: true, triangles: Infinity },
  { name: "plain", pixels: 1, shadow: 0, careful: false, triangles: 40000 },
  { name: "quick", pixels: 1, shadow: 0, careful: false, triangles: 6000 },
  { name: "least", pixels: 0.6, shadow: 0, careful: false, triangles: 3000 },
];
/** Faces on a plain canvas. */
export const FLAT = { name: "flat", pixels: 1, shadow: 0, careful: false, triangles: 4000 };
/** What stands still is drawn with fine edges even where care is dear. */
export const REST = { name: "rest", pixels: 2, shadow: 0, careful: false, triangles: 40000 };

const SLOW = 21; // [ms], one frame in five is missed
const SURE = 24, SURER = 6; // frames to be sure; where they are very slow
const PATIENCE = 4000; // [ms] of good frames before a better step is tried

export class Quality {
  /** Calls `apply(step)` at each change; starts at a step, which stays if it is fixed. */
  constructor(apply, level = 0, fixed = false) {
    Object.assign(this, { apply, level, fixed, wait: PATIENCE });
    this.restart();
  }

  get step() {
    return STEPS[this.level];
  }

  restart() {
    Object.assign(this, { sum: 0, count: 0, good: 0 });
  }

  /** Fix a step by its name; "auto" lets it follow the frames again. */
  fix(name) {
    const found = STEPS.findIndex((step) => step.name === name);
    this.fixed = found >= 0;
    Object.assign(this, { wait: PATIENCE, fell: undefined, tried: undefined });
    this.to(found >= 0 ? found : this.level);
  }

  to(level) {
    this.level = level;
    this.restart();
    this.apply(this.step);
  }

  /** Learn the time between two frames [ms] that both were drawn. */
  tick(interval) {
    if (this.fixed || interval > 2000) return;
    this.sum += interval;
    this.count += 1;
    const mean = this.sum / this.count;
    if (this.count < (mean > 150 ? SURER : SURE)) return;
    if (mean > SLOW) this.worse(mean);
    else this.better(this.sum);
    this.sum = this.count = 0;
  }

  worse(mean) {
    this.good = 0;
    this.fell ??= { level: this.level, mean };
    if (this.level + 1 === STEPS.length && mean > 0.8 * this.fell.mean && this.level > this.fell.level) {
      this.fixed = true; // less care does not help: it is not the drawing that takes the time
      this.to(this.fell.level);
      return;
    }
    if (this.tried === this.level) { // better was too much: wait longer next time
      this.wait = Math.min(8 * this.wait, 1e6);
      this.tried = undefined;
    }
    if (this.level + 1 < STEPS.length) this.to(this.level + (mean > 80 && this.level < 3 ? 2 : 1));
  }

  better(time) {
    this.good += time;
    this.fell = undefined;
    if (!this.level || this.good < this.wait) return;
    this.tried = this.level - 1;
    this.to(this.level - 1);
  }
}
