// Amplitudes of a curve over frequency.
const MOST = 4096; // points that are transformed

/** {xs [Hz], ys} of equally spaced values over a time: a Hann window, without the mean. */
export function spectrum(value, begin, end, n) {
  let size = 64;
  while (size < Math.min(n, MOST)) size *= 2;
  const re = new Float64Array(size), im = new Float64Array(size), span = end - begin;
  for (let k = 0; k < size; k++) re[k] = value(begin + (span * k) / size);
  const mean = re.reduce((sum, x) => sum + x, 0) / size;
  for (let k = 0; k < size; k++) re[k] = (re[k] - mean) * (0.5 - 0.5 * Math.cos((2 * Math.PI * k) / size));
  transform(re, im);
  const xs = new Float64Array(size / 2), ys = new Float64Array(size / 2);
  for (let k = 0; k < size / 2; k++) {
    xs[k] = k / span;
    ys[k] = (4 / size) * Math.hypot(re[k], im[k]); // a sine of amplitude one has the peak one
  }
  return { xs, ys };
}

/** Fast Fourier transform in place; the length is a power of two. */
function transform(re, im) {
  const n = re.length;
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) { [re[i], re[j]] = [re[j], re[i]]; [im[i], im[j]] = [im[j], im[i]]; }
  }
  for (let half = 1; half < n; half *= 2) {
    for (let k = 0; k < half; k++) {
      const c = Math.cos((-Math.PI * k) / half), s = Math.sin((-Math.PI * k) / half);
      for (let a = k; a < n; a += 2 * half) {
        const b = a + half, x = re[b] * c - im[b] * s, y = re[b] * s + im[b] * c;
        re[b] = re[a] - x; im[b] = im[a] - y;
        re[a] += x; im[a] += y;
      }
    }
  }
}
