// How much care is taken in drawing: as much as the frames leave time for.

/** Steps from full care to least; `pixels` for one of the screen, `triangles` at most. */
export const STEPS = [
  { name: "full", pixels: 2, shadow: 2048, careful: true, triangles: Infinity },
  { name: "good", pixels: 1, shadow: 1024, careful: true, triangles: Infinity },
  { name: "plain", pixels: 1, shadow: 0, careful: false, casts: true, triangles: 12000 },
  { name: "quick", pixels: 1, shadow: 0, careful: false, casts: true, triangles: 6000 },
  { name: "least", pixels: 0.6, shadow: 0, careful: false, casts: false, triangles: 3000 },
];
/** The best step without a graphics card that is not left to a choice. */
export const PLAIN = 2;
/** What stands still is drawn with fine edges even where care is dear. */
export const REST = { name: "rest", pixels: 2, shadow: 0, careful: false, casts: true,
  triangles: 40000 };

const SLOW = 21; // [ms], one frame in five is missed
const SURE = 24, SURER = 6; // frames to be sure; where they are very slow
const PATIENCE = 4000; // [ms] of good frames before a better step is tried

export class Quality {
  /** Calls `apply(step)` at each change; starts at a step, which stays if it is fixed. */
  constructor(apply, level = 0, fixed = false, best = 0) {
    Object.assign(this, { apply, level, fixed, best, wait: PATIENCE });
    this.restart();
  }

  get step() {
    return STEPS[this.level];
  }

  restart() {
    Object.assign(this, { seen: [], good: 0 });
  }

  /** Fix a step by its name; "auto" lets it follow the frames again. */
  fix(name) {
    const found = STEPS.findIndex((step) => step.name === name);
    this.fixed = found >= 0;
    Object.assign(this, { wait: PATIENCE, fell: undefined, tried: undefined, isHeld: false });
    this.to(found >= 0 ? found : Math.max(this.level, this.best));
  }

  to(level) {
    this.level = level;
    this.restart();
    this.apply(this.step);
  }

  /** Learn the time between two frames [ms] that both were drawn. */
  tick(interval) {
    if (this.fixed || this.isHeld || interval > 2000) return;
    this.seen.push(interval);
    const n = this.seen.length;
    if (n < SURER) return;
    const middle = [...this.seen].sort((a, b) => a - b)[n >> 1]; // one long frame says nothing
    if (n < (middle > 150 ? SURER : SURE)) return;
    const time = this.seen.reduce((sum, x) => sum + x);
    this.seen = [];
    if (middle > SLOW) this.worse(middle);
    else this.better(time);
  }

  worse(interval) {
    this.good = 0;
    this.fell ??= { level: this.level, interval };
    const { level, interval: before } = this.fell;
    if (this.level + 1 === STEPS.length && this.level > level && interval > 0.95 * before) {
      this.isHeld = true; // less care does not help: it is not the drawing that takes the time
      this.to(level);
      return;
    }
    if (this.tried === this.level) { // better was too much: wait longer next time
      this.wait = Math.min(8 * this.wait, 1e6);
      this.tried = undefined;
    }
    const steps = interval > 80 && this.level < 3 ? 2 : 1;
    if (this.level + 1 < STEPS.length) this.to(this.level + steps);
  }

  better(time) {
    this.good += time;
    this.fell = undefined;
    if (this.level <= this.best || this.good < this.wait) return;
    this.tried = this.level - 1;
    this.to(this.level - 1);
  }
}
