// Poses and quantities at any time: cubics through the stored ones, broken where time is doubled.

/** Rows of numbers over times that do not fall. */
export class Curve {
  constructor(times, values, columns) {
    Object.assign(this, { times, values, columns, last: times.length - 1, k: 0, t: NaN });
    this.weights = new Float64Array(8); // of four rows: for the value, then for its rate
    this.rows = new Int32Array(4);
  }

  /** Prepare for a time: up to four rows between two jumps get the weights of a polynomial. */
  seek(given) {
    const { times, last } = this, t = Math.min(Math.max(given, times[0]), times[last]);
    if (t === this.t) return;
    this.t = t;
    this.k = this.before(t);
    let low = this.k, high = this.k;
    const onward = () => high < last && high - low < 3 && times[high + 1] > times[high];
    const backward = () => low > 0 && high - low < 3 && times[low] > times[low - 1];
    for (let more = 0; more < 2; more++) if (onward()) high++;
    while (backward()) low--;
    while (onward()) high++;
    this.weigh(t, low, high);
  }

  /** Last row whose time is not after t. */
  before(t) {
    const { times, last, k } = this;
    if (times[k] <= t && (k === last || t < times[k + 1])) return k;
    let low = 0, high = last;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (times[middle] <= t) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Weights of Lagrange for the value, and for its rate. */
  weigh(t, low, high) {
    const { times, weights: w, rows } = this;
    w.fill(0);
    rows.fill(low);
    for (let i = 0; i <= high - low; i++) {
      rows[i] = low + i;
      let value = 1, rate = 0;
      for (let j = low; j <= high; j++) {
        if (j === low + i) continue;
        const span = times[low + i] - times[j];
        rate = (rate * (t - times[j]) + value) / span;
        value *= (t - times[j]) / span;
      }
      w[i] = value;
      w[4 + i] = rate;
    }
  }

  /** Value of a column at the time of seek; its rate with at = 4. */
  value(column, at = 0) {
    const { weights: w, rows: r, values: x, columns: n } = this;
    return w[at] * x[r[0] * n + column] + w[at + 1] * x[r[1] * n + column]
      + w[at + 2] * x[r[2] * n + column] + w[at + 3] * x[r[3] * n + column];
  }
}

/** Poses of bodies: x, y, z and a quaternion w, x, y, z each. */
export class Motion extends Curve {
  constructor(times, values, bodies) {
    super(times, values, 7 * bodies);
  }

  /** Put an object where a body is. */
  place(object, body) {
    const c = 7 * body;
    object.position.set(this.value(c), this.value(c + 1), this.value(c + 2));
    object.quaternion
      .set(this.value(c + 4), this.value(c + 5), this.value(c + 6), this.value(c + 3))
      .normalize();
  }

  /** Velocity of the body's origin, world axes. */
  velocity(body) {
    return [0, 1, 2].map((k) => this.value(7 * body + k, 4));
  }

  /** Angular velocity, world axes: twice the rate of the quaternion times its inverse. */
  spin(body) {
    const q = [3, 4, 5, 6].map((k) => this.value(7 * body + k));
    const d = [3, 4, 5, 6].map((k) => this.value(7 * body + k, 4));
    const n = q.reduce((s, x) => s + x * x, 0) / 2;
    return [
      (q[0] * d[1] - d[0] * q[1] + (q[2] * d[3] - q[3] * d[2])) / n,
      (q[0] * d[2] - d[0] * q[2] + (q[3] * d[1] - q[1] * d[3])) / n,
      (q[0] * d[3] - d[0] * q[3] + (q[1] * d[2] - q[2] * d[1])) / n,
    ];
  }
}
