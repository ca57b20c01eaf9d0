// Triangles and lines in plain arrays: colours in 32 bits, and how near each point is (1 / distance).

/** Numbers of a corner: x, y on the canvas, nearness, red, green, blue; its place before division. */
export const EACH = 9;
const [X, Y, NEAR, RED, GREEN, BLUE] = [0, 1, 2, 3, 4, 5];
/** Nearness of a shadow: behind everything, but no longer empty. */
const SHADED = 1e-30;

export class Raster {
  constructor(width, height) {
    const bytes = new Uint8ClampedArray(4 * width * height);
    Object.assign(this, { width, height, image: new ImageData(bytes, width, height) });
    this.colours = new Uint32Array(bytes.buffer);
    this.nears = new Float32Array(width * height);
    this.rest();
  }

  /** Forget which rows have been drawn on. */
  rest() {
    Object.assign(this, { first: this.height, last: -1 });
  }

  /** Take rows from first to last of another one of the same size. */
  copy({ colours, nears, width }, first = 0, last = this.height - 1) {
    const begin = first * width, end = (last + 1) * width;
    this.colours.set(colours.subarray(begin, end), begin);
    this.nears.set(nears.subarray(begin, end), begin);
  }

  /** Call `row(k, end, dx, dy)` for the points of a triangle; dx, dy from its first corner. */
  rows(at, p, q, r, row) {
    const { width, height } = this;
    let a = p, b = q, c = r, swap;
    if (at[b + Y] < at[a + Y]) { swap = a; a = b; b = swap; }
    if (at[c + Y] < at[a + Y]) { swap = a; a = c; c = swap; }
    if (at[c + Y] < at[b + Y]) { swap = b; b = c; c = swap; }
    const ax = at[a + X], ay = at[a + Y], bx = at[b + X], by = at[b + Y], cx = at[c + X], cy = at[c + Y];
    const top = Math.max(0, Math.ceil(ay - 0.5)), foot = Math.min(height, Math.ceil(cy - 0.5)) - 1;
    if (!(top <= foot)) return;
    if (top < this.first) this.first = top;
    if (foot > this.last) this.last = foot;
    const long = (cx - ax) / (cy - ay), upper = (bx - ax) / (by - ay), lower = (cx - bx) / (cy - by);
    for (let y = top; y <= foot; y++) {
      const middle = y + 0.5, one = ax + (middle - ay) * long;
      const other = middle < by ? ax + (middle - ay) * upper : bx + (middle - by) * lower;
      const from = Math.max(0, Math.ceil((one < other ? one : other) - 0.5));
      const to = Math.min(width, Math.ceil((one < other ? other : one) - 0.5));
      if (from < to) row(y * width + from, y * width + to, from + 0.5 - at[p], middle - at[p + 1]);
    }
  }

  /** Fill a triangle; with `tests` only where nothing is nearer. */
  triangle(at, p, q, r, alpha, tests) {
    const ux = at[q] - at[p], uy = at[q + Y] - at[p + Y], vx = at[r] - at[p], vy = at[r + Y] - at[p + Y];
    const area = ux * vy - vx * uy;
    if (!(Math.abs(area) > 1e-9)) return;
    const across = (c) => ((at[q + c] - at[p + c]) * vy - (at[r + c] - at[p + c]) * uy) / area;
    const down = (c) => ((at[r + c] - at[p + c]) * ux - (at[q + c] - at[p + c]) * vx) / area;
    const { colours, nears } = this, z0 = at[p + NEAR], zx = across(NEAR), zy = down(NEAR);
    const r0 = at[p + RED], rx = across(RED), ry = down(RED);
    const g0 = at[p + GREEN], gx = across(GREEN), gy = down(GREEN);
    const b0 = at[p + BLUE], bx = across(BLUE), by = down(BLUE);
    const isSolid = alpha === 1, part = Math.round(256 * alpha);
    this.rows(at, p, q, r, (start, end, dx, dy) => {
      let z = z0 + zx * dx + zy * dy, red = r0 + rx * dx + ry * dy;
      let green = g0 + gx * dx + gy * dy, blue = b0 + bx * dx + by * dy;
      for (let k = start; k < end; k++) {
        if (!tests || z > nears[k]) {
          if (!isSolid) colours[k] = mixed(colours[k], red, green, blue, part);
          else {
            colours[k] = 0xff000000 | (blue << 16) | (green << 8) | red;
            if (tests) nears[k] = z;
          }
        }
        z += zx;
        red += rx;
        green += gx;
        blue += bx;
      }
    });
  }

  /** Darken what is empty behind a triangle, once. */
  shade(at, p, q, r, left) {
    const { colours, nears } = this, part = Math.round(256 * left);
    this.rows(at, p, q, r, (start, end) => {
      for (let k = start; k < end; k++) {
        if (nears[k] !== 0) continue;
        nears[k] = SHADED;
        colours[k] = mixed(colours[k], 0, 0, 0, 256 - part);
      }
    });
  }

  /** Line of a width between two corners, its edges smooth; `fade` are the alphas of its ends. */
  line(at, p, q, wide, fade, tests) {
    const flat = Math.abs(at[q] - at[p]) >= Math.abs(at[q + Y] - at[p + Y]);
    const along = flat ? X : Y, over = flat ? Y : X;
    const long = flat ? this.width : this.height, broad = flat ? this.height : this.width;
    let [start, end] = fade;
    if (at[p + along] > at[q + along]) { [p, q] = [q, p]; [start, end] = [end, start]; }
    const span = at[q + along] - at[p + along], slope = span ? (at[q + over] - at[p + over]) / span : 0;
    const half = Math.max(0.5, 0.5 * wide * Math.sqrt(1 + slope * slope));
    const from = Math.max(0, Math.ceil(at[p + along] - 0.5));
    const to = Math.min(long, Math.ceil(at[q + along] - 0.5));
    for (let i = from; i < to; i++) {
      const s = (i + 0.5 - at[p + along]) / span, middle = at[p + over] + slope * (i + 0.5 - at[p + along]);
      const low = middle - half, high = middle + half;
      const z = 1.0005 * (at[p + NEAR] + s * (at[q + NEAR] - at[p + NEAR]));
      const alpha = start + s * (end - start);
      for (let j = Math.max(0, Math.floor(low)); j < Math.min(broad, high); j++) {
        const covered = Math.min(j + 1, high) - Math.max(j, low);
        this.dot(flat ? i : j, flat ? j : i, z, at, p, alpha * Math.min(1, covered), tests);
      }
    }
  }

  dot(x, y, z, at, p, alpha, tests) {
    const k = y * this.width + x, { colours, nears } = this;
    if (tests && z < nears[k]) return;
    colours[k] = mixed(colours[k], at[p + RED], at[p + GREEN], at[p + BLUE], Math.round(256 * alpha));
    if (tests && alpha > 0.5) nears[k] = z;
    if (y < this.first) this.first = y;
    if (y > this.last) this.last = y;
  }
}

/** Colour of which a part of 256 is another one. */
function mixed(colour, red, green, blue, part) {
  const r = colour & 255, g = (colour >> 8) & 255, b = (colour >> 16) & 255;
  return 0xff000000 | ((b + (((blue - b) * part) >> 8)) << 16)
    | ((g + (((green - g) * part) >> 8)) << 8) | (r + (((red - r) * part) >> 8));
}
