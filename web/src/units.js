// Numbers in units that suit them: 12.3 kN, 4.5 mm, 21 bar.
const PREFIXES = { "-9": "n", "-6": "µ", "-3": "m", 0: "", 3: "k", 6: "M", 9: "G" };
const PLAIN = new Set(["N", "N m", "J", "W", "V", "A", "Hz", "N/m", "N s", "Pa"]);

/** {factor, unit} for numbers up to a size in a unit of the model. */
export function engineering(unit, size) {
  const as = (factor, own) => ({ factor, unit: own });
  if (!(size > 0) || !Number.isFinite(size)) return as(1, unit);
  if (unit === "Pa" && size >= 1e4 && size < 1e10) return as(1e-5, "bar");
  if (unit === "m") return size >= 0.1 ? as(1, unit) : size >= 1e-4 ? as(1e3, "mm") : as(1e6, "µm");
  if (!PLAIN.has(unit) || (size >= 0.1 && size < 1000)) return as(1, unit);
  const power = Math.min(Math.max(3 * Math.floor(Math.log10(size) / 3), -9), 9);
  return as(10 ** -power, PREFIXES[power] + unit);
}
