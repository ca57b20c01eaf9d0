// What leaves the page as a file: numbers of a chart, pictures.
import { el } from "./dom.js";

/** Let the browser save a text or a blob under a name. */
export function save(name, content, type) {
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  const url = URL.createObjectURL(blob);
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** What is seen of a stage, on its own paper. */
export function photograph(stage, title) {
  stage.render();
  const { canvas } = stage, copy = document.createElement("canvas");
  Object.assign(copy, { width: canvas.width, height: canvas.height });
  const paint = copy.getContext("2d");
  paint.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--paper");
  paint.fillRect(0, 0, copy.width, copy.height);
  paint.drawImage(canvas, 0, 0);
  copy.toBlob((blob) => save(`${title}.png`, blob, "image/png"), "image/png");
}

/** Curves {name, xs, ys} as a table with one column for all times, in units of the model. */
export function csv(curves, first, unit, value) {
  const times = [...curves.map((c) => c.xs)].sort((a, b) => b.length - a.length)[0] ?? [];
  const heads = [first, ...curves.map((c) => `${c.label} [${unit}]`)].map(quoted);
  const rows = [heads.join(",")];
  for (const [k, t] of times.entries())
    rows.push([t, ...curves.map((c) => (c.xs[k] === t ? c.ys[k] : value(c, t)))].join(","));
  return `${rows.join("\n")}\n`;
}

/** Drawing as a picture of its own, with the looks that it has on the page. */
export function picture(drawing, title) {
  const copy = drawing.cloneNode(true), [, , width, height] = drawing.getAttribute("viewBox").split(" ");
  const own = [...drawing.querySelectorAll("*")], made = [...copy.querySelectorAll("*")];
  own.forEach((from, k) => {
    const look = getComputedStyle(from);
    for (const key of ["stroke", "fill", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-family"])
      made[k].style.setProperty(key, look.getPropertyValue(key));
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  copy.style.background = getComputedStyle(document.documentElement).getPropertyValue("--paper");
  copy.setAttribute("aria-label", title);
  return new XMLSerializer().serializeToString(copy);
}
