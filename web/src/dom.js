// Elements of the page. Texts of the model only ever become text, never markup.

/** Element with attributes, listeners (on…) and children. */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  assign(made, attributes);
  made.append(...children.filter((c) => c !== null && c !== undefined));
  return made;
}

/** The same for drawings. */
export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  assign(made, attributes);
  made.append(...children);
  return made;
}

function assign(element, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== undefined) element.setAttribute(key, value);
  }
}

const paths = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M7 5h3.6v14H7zM13.4 5H17v14h-3.6z",
  back: "M6 5h2.6v14H6zM19 5v14L9.6 12z",
  next: "M15.4 5H18v14h-2.6zM5 5l9.4 7L5 19z",
  loop: "M17 4l4 4-4 4V9H8a3 3 0 0 0-3 3v1H3v-1a5 5 0 0 1 5-5h9zM7 20l-4-4 4-4v3h9a3 3 0 0 0 3-3v-1h2v1a5 5 0 0 1-5 5H7z",
  camera: "M8.5 5h7l1.500 2H21v12H3V7h4zM12 9a4 4 0 1 0 0 8 4 4 0 0 0 0-8zm0 2a2 2 0 1 1 0 4 2 2 0 0 1 0-4z",
  eye: "M12 6c5 0 8.500 4 9.500 6-1 2-4.500 6-9.500 6s-8.500-4-9.500-6c1-2 4.500-6 9.500-6zm0 2.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7z",
  brush: "M20.700 3.300a1.500 1.500 0 0 1 0 2.100L12.500 13.600 10.400 11.500 18.600 3.300a1.500 1.500 0 0 1 2.100 0zM9.300 12.600l2.100 2.100c.4 3-2 5.800-7.900 5.300 1.500-1 1.800-2 2-3.600.2-2 1.700-4 3.800-3.800z",
  fit: "M4 9V4h5v2H6v3zM15 4h5v5h-2V6h-3zM20 15v5h-5v-2h3v-3zM9 20H4v-5h2v3h3z",
  theme: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 2v14a7 7 0 0 1 0-14z",
  panel: "M4 5h16v14H4zm2 2v10h7V7zm9 0v10h3V7z",
  help: "M11 17h2v2h-2zM12 5a4 4 0 0 1 4 4c0 2.6-3 3-3 5.500h-2c0-3.500 3-4 3-5.500a2 2 0 0 0-4 0H8a4 4 0 0 1 4-4z",
};

/** Picture on a button. */
export function icon(name) {
  return svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" },
    svg("path", { d: paths[name], "fill-rule": "evenodd" }));
}

/** Number with four digits that matter; zero up to a least size. */
export function number(x, least = 0) {
  if (!Number.isFinite(x)) return "–";
  const size = Math.abs(x);
  if (size <= least) return "0";
  const text = size >= 1e5 || size < 1e-3 ? x.toExponential(2)
    : x.toFixed(Math.min(4, Math.max(0, 3 - Math.floor(Math.log10(size)))));
  return text.replace("-", "−").replace("e+", "e");
}

export const unit = (text) =>
  (text === "1" ? "" : text.replaceAll("^2", "²").replaceAll("^3", "³").replaceAll(" ", " "));
