// A surface with fewer triangles: points of one cell of a lattice become one.

/** {points, triangles} of about `most` triangles; cells are cubes that fit the surface. */
export function coarser(points, triangles, most) {
  const low = [0, 1, 2].map(() => Infinity), high = [0, 1, 2].map(() => -Infinity);
  for (let i = 0; i < points.length; i++) {
    low[i % 3] = Math.min(low[i % 3], points[i]);
    high[i % 3] = Math.max(high[i % 3], points[i]);
  }
  const [x, y, z] = [0, 1, 2].map((k) => high[k] - low[k] || 1e-9);
  // a closed surface has about two triangles for each cell of its box's walls
  const cell = Math.sqrt((4 * (x * y + y * z + z * x)) / most);
  const numbers = new Map(), at = new Uint32Array(points.length / 3), sums = [];
  for (let i = 0; i < at.length; i++) {
    const key = [0, 1, 2].map((k) => Math.floor((points[3 * i + k] - low[k]) / cell)).join();
    if (!numbers.has(key)) { numbers.set(key, numbers.size); sums.push(0, 0, 0, 0); }
    const n = (at[i] = numbers.get(key));
    for (let k = 0; k < 3; k++) sums[4 * n + k] += points[3 * i + k];
    sums[4 * n + 3] += 1;
  }
  const merged = new Float32Array(3 * numbers.size);
  for (let i = 0; i < merged.length; i++)
    merged[i] = sums[4 * Math.floor(i / 3) + (i % 3)] / sums[4 * Math.floor(i / 3) + 3];
  const kept = [];
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = [at[triangles[i]], at[triangles[i + 1]], at[triangles[i + 2]]];
    if (a !== b && b !== c && c !== a) kept.push(a, b, c);
  }
  return { points: merged, triangles: new Uint32Array(kept) };
}
