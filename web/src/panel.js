// The side: parts by name, the selected one with its values, events.
import { el, number, unit } from "./dom.js";

const plural = { body: "Bodies", joint: "Joints", contact: "Contacts" };
const AXES = ["x", "y", "z"];
const FEW = 12; // things of a list whose groups are open

/** Words before dots that all names begin with; the name itself where there is only one. */
function shared(names) {
  if (names.length === 1) return names[0];
  const [first, ...others] = names.map((name) => name.split("."));
  let n = 1;
  while (n < first.length - 1 && others.every((o) => n < o.length - 1 && o[n] === first[n])) n++;
  return first.slice(0, n).join(".");
}

export class Panel {
  constructor(place, viewer) {
    this.viewer = viewer;
    this.card = el("section", { class: "card", hidden: true, "aria-live": "off" });
    place.append(this.card);
    this.rows = new Map();
    const groups = new Map();
    for (const thing of viewer.machine.things) {
      const name = plural[thing.type] ?? "Connections";
      if (!groups.has(name)) groups.set(name, []);
      groups.get(name).push(thing);
    }
    if (viewer.data.events.length) place.append(this.events(viewer.data.events));
    for (const [name, things] of groups) place.append(this.list(name, things));
  }

  list(name, things) {
    return el("details", { open: things.length <= 30 },
      el("summary", {}, name, el("small", {}, String(things.length))),
      ...this.tree(things, "", things.length <= FEW));
  }

  /** Rows of things; those of a group or a part are folded under its name, unless there are few. */
  tree(things, before, isOpen) {
    const groups = new Map();
    for (const thing of things) {
      const own = thing.name.slice(before.length).split(".", 1)[0];
      if (!groups.has(own)) groups.set(own, []);
      groups.get(own).push(thing);
    }
    return [...groups].flatMap(([own, inside]) => {
      const name = shared(inside.map((thing) => thing.name.slice(before.length)));
      if (inside.length === 1) return [this.row(inside[0], name)];
      const own_rows = inside.filter((thing) => thing.name === `${before}${own}`);
      const rest = inside.filter((thing) => thing.name !== `${before}${own}`);
      const rows = own_rows.map((thing) => this.row(thing, own));
      if (!rest.length) return rows;
      return [...rows, el("details", { class: "group", open: isOpen },
        el("summary", {}, name, el("small", {}, String(rest.length))),
        ...this.tree(rest, `${before}${name}.`, isOpen))];
    });
  }

  row(thing, name) {
    const dot = el("i", { class: thing.type === "body" ? "dot" : "dot ring" });
    if (thing.colour) dot.style.background = dot.style.borderColor = thing.colour;
    const word = thing.type === "body" ? null : el("small", {}, thing.word ?? thing.type);
    const row = el("button", { type: "button", "aria-pressed": "false",
      onclick: () => this.viewer.select(thing),
      onpointerenter: () => this.viewer.hover(thing),
      onpointerleave: () => this.viewer.hover(null) }, dot, el("span", {}, name), word);
    this.rows.set(thing, row);
    return row;
  }

  events(events) {
    const rows = events.map((event) => el("button", { type: "button", class: "event",
      onclick: () => this.viewer.seek(event.time) },
      el("span", {}, event.name), el("small", {}, `${number(event.time)} s`)));
    this.eventRows = rows;
    const { more_events: more } = this.viewer.data;
    const rest = more ? el("p", {}, `and ${more} more`) : null;
    return el("details", { open: true, class: "events" },
      el("summary", {}, "Events", el("small", {}, String(events.length + more))), ...rows, rest);
  }

  /** Show a thing with its values; null for none. */
  select(thing) {
    for (const [own, row] of this.rows) row.setAttribute("aria-pressed", String(own === thing));
    this.card.hidden = !thing;
    this.cells = [];
    if (!thing) return;
    const row = this.rows.get(thing);
    for (let box = row?.parentElement?.closest("details.group"); box;
      box = box.parentElement.closest("details.group")) box.open = true;
    row?.scrollIntoView({ block: "nearest" });
    const table = el("table");
    for (const [label, symbol, make] of this.values(thing)) {
      const cell = el("td");
      table.append(el("tr", {}, el("th", { scope: "row" }, label), cell, el("td", {}, symbol)));
      this.cells.push([cell, make, symbol.startsWith("m")]);
    }
    const close = el("button", { type: "button", class: "close", title: "deselect (Esc)",
      onclick: () => this.viewer.select(null) }, "×");
    this.card.replaceChildren(
      el("h2", {}, thing.name, el("small", {}, thing.word ?? thing.type), close),
      ...(thing.note ? [el("p", {}, thing.note)] : []), table);
    this.update();
  }

  /** Rows of label, unit and function that gives the number now. */
  values(thing) {
    const { machine } = this.viewer, { motion } = machine, rows = [];
    const index = machine.bodies.indexOf(thing);
    if (index >= 0) {
      for (let k = 0; k < 3; k++)
        rows.push([`position ${AXES[k]}`, "m", () => motion.value(7 * index + k)]);
      for (let k = 0; k < 3; k++)
        rows.push([`velocity ${AXES[k]}`, "m/s", () => motion.velocity(index)[k]]);
      rows.push(["speed", "m/s", () => Math.hypot(...motion.velocity(index))]);
      rows.push(["turning", "rad/s", () => Math.hypot(...motion.spin(index))]);
    }
    for (const { label, name, unit: own } of thing.values ?? [])
      rows.push([label, unit(own), () => machine.value(name)]);
    return rows;
  }

  update() {
    const least = 1e-9 * this.viewer.data.machine; // less is rounding, in metres as in metres a second
    for (const [cell, make, isOwn] of this.cells ?? [])
      cell.textContent = number(make(), isOwn ? least : 0);
    const { eventRows, viewer } = this;
    if (!eventRows) return;
    let now = -1;
    viewer.data.events.forEach((event, k) => { if (event.time <= viewer.time + 1e-12) now = k; });
    if (now !== this.now) {
      eventRows.forEach((row, k) => row.classList.toggle("now", k === now));
      this.now = now;
    }
  }
}
