// Numbers of the page: deflated, differences of differences, in bytes of equal weight.
import { unzlibSync } from "fflate";

function bytes(text, size) {
  const plain = atob(text);
  const packed = new Uint8Array(plain.length);
  for (let i = 0; i < plain.length; i++) packed[i] = plain.charCodeAt(i);
  return unzlibSync(packed, size ? { out: new Uint8Array(size) } : {}); // no growing buffers
}

/** Float64Array of {f64}, Float32Array of {f32}, Uint32Array of {u32}. */
export function array(packed) {
  const types = { f64: Float64Array, f32: Float32Array, u32: Uint32Array };
  const kind = Object.keys(packed)[0];
  return new types[kind](bytes(packed[kind]).slice().buffer);
}

/** Table of rows and columns from {rows, columns, planes, low, step, data}, row after row. */
export function table(packed) {
  const { rows, columns, planes } = packed;
  const low = array(packed.low), step = array(packed.step);
  const size = rows * columns, raw = bytes(packed.data, planes * size);
  const out = new Float32Array(size);
  for (let c = 0; c < columns; c++) {
    let value = 0, slope = 0;
    for (let r = 0; r < rows; r++) {
      let code = 0;
      for (let p = 0; p < planes; p++) code |= raw[p * size + c * rows + r] << (8 * p);
      slope += (code >>> 1) ^ -(code & 1);
      value += slope;
      out[r * columns + c] = low[c] + step[c] * value;
    }
  }
  return out;
}
