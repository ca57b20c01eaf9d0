// The side: parts by name, the selected one with its values, events.
import { el, icon, number, unit } from "./dom.js";
import { engineering } from "./units.js";

const plural = { body: "Bodies", joint: "Joints", contact: "Contacts" };
const AXES = ["x", "y", "z"];
const FEW = 12; // things of a list whose groups are open

/** Name of a thing as the user wrote it. */
const called = (thing) => thing.label ?? thing.name;

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
      if (thing.within) continue; // a frame of a flexible body
      const name = plural[thing.type] ?? "Connections";
      if (!groups.has(name)) groups.set(name, []);
      groups.get(name).push(thing);
    }
    this.eyes = [];
    for (const [name, things] of groups) place.append(this.list(name, things));
    if (viewer.data.events.length) place.append(this.events(viewer.data.events));
  }

  list(name, things) {
    return el("details", { open: things.length <= 30 },
      ...this.head(name, things, things),
      ...this.tree(things, "", things.length <= FEW));
  }

  /** Name of a list of things, whose eye and brush are for all that it stands for. */
  head(name, listed, things) {
    const place = el("div", { class: "looks", hidden: true });
    return [el("summary", {}, name, el("small", {}, String(listed.length)),
      this.brush(things, place), this.eye(things)), place];
  }

  /** Rows of things; those of a group or a part are folded under its name, unless there are few. */
  tree(things, before, isOpen) {
    const groups = new Map();
    for (const thing of things) {
      const own = called(thing).slice(before.length).split(".", 1)[0];
      if (!groups.has(own)) groups.set(own, []);
      groups.get(own).push(thing);
    }
    return [...groups].flatMap(([own, inside]) => {
      const name = shared(inside.map((thing) => called(thing).slice(before.length)));
      if (inside.length === 1) return [this.row(inside[0], name)];
      const own_rows = inside.filter((thing) => called(thing) === `${before}${own}`);
      const rest = inside.filter((thing) => called(thing) !== `${before}${own}`);
      const rows = own_rows.map((thing) => this.row(thing, own));
      if (!rest.length) return rows;
      return [...rows, el("details", { class: "group", open: isOpen },
        ...this.head(name, rest, inside),
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
    const place = el("div", { class: "looks", hidden: true });
    const item = el("div", { class: "item" }, row, this.brush([thing], place), this.eye([thing]));
    return thing.type === "body" ? el("div", {}, item, place) : item;
  }

  /** Button that hides things and shows them again. */
  eye(things) {
    const names = things.length === 1 ? called(things[0]) : `${things.length} parts`;
    const own = el("button", { type: "button", class: "eye", title: `hide or show ${names}`,
      "aria-label": `eye of ${names}`, "aria-pressed": "true", onclick: (event) => {
        event.preventDefault(); // of the summary that it stands in
        this.viewer.setEye(things, things.every((thing) => thing.isHidden));
      } }, icon("eye"));
    this.eyes.push([own, things]);
    return own;
  }

  tellEyes() {
    for (const [own, things] of this.eyes)
      own.setAttribute("aria-pressed", String(!things.every((thing) => thing.isHidden)));
  }

  /** Button for the looks of bodies, which then stand in a place. */
  brush(things, place) {
    const bodies = things.filter((thing) => thing.type === "body");
    if (!bodies.length) return null;
    const names = bodies.length === 1 ? called(bodies[0]) : `${bodies.length} bodies`;
    return el("button", { type: "button", class: "eye", title: `colour of ${names}`,
      "aria-label": `colour of ${names}`, onclick: (event) => {
        event.preventDefault(); // of the summary that it stands in
        const list = place.closest("details");
        place.hidden = !place.hidden && list.open;
        if (!place.hidden) list.open = true;
        place.replaceChildren(...this.looks(bodies, names));
      } }, icon("brush"));
  }

  tellColours(bodies) {
    for (const body of bodies.filter((own) => this.rows.has(own)))
      this.rows.get(body).querySelector(".dot").style.background = body.colour;
  }

  events(events) {
    const rows = events.map((event) => el("button", { type: "button", class: "event",
      onclick: () => this.viewer.seek(event.time) },
      el("span", {}, event.name), el("small", {}, `${number(event.time)} s`)));
    this.eventRows = rows;
    const runs = []; // events of one name that follow each other are folded
    events.forEach((event, k) => {
      const last = runs.at(-1);
      if (last?.name === event.name) last.rows.push(rows[k]);
      else runs.push({ name: event.name, rows: [rows[k]], begin: event.time });
      runs.at(-1).end = event.time;
    });
    const entries = runs.flatMap(({ name, rows: own, begin, end }) => (own.length < 3 ? own
      : [el("details", { class: "group run" }, el("summary", {}, `${name} × ${own.length}`,
        el("small", {}, `${number(begin)} to ${number(end)} s`)), ...own)]));
    const { more_events: more } = this.viewer.data;
    const rest = more ? el("p", {}, `and ${more} more`) : null;
    return el("details", { open: entries.length <= 2 * FEW, class: "events" },
      el("summary", {}, "Events", el("small", {}, String(events.length + more))), ...entries, rest);
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
    const { charts, still } = this.viewer;
    for (const [label, symbol, make, name, course] of this.values(thing)) {
      const cell = el("td"), place = el("td");
      const plot = still || !course ? null : el("button", { type: "button", class: "plotted",
        title: "chart of it, or none", "aria-label": `chart of ${name}`,
        onclick: () => charts.toggle(label, name, symbol, course()) }, "∿");
      table.append(el("tr", {}, el("th", { scope: "row" }, label), cell, place, el("td", {}, plot)));
      const size = course ? course().ys.reduce((a, b) => Math.max(a, Math.abs(b)), 0) : 1;
      const { factor, unit: own } = engineering(symbol, size); // the same all the time
      place.textContent = unit(own);
      this.cells.push([cell, make, symbol.startsWith("m"), factor]);
    }
    const close = el("button", { type: "button", class: "close", title: "deselect (Esc)",
      onclick: () => this.viewer.select(null) }, "×");
    this.card.replaceChildren(
      el("h2", {}, called(thing), el("small", {}, thing.word ?? thing.type), close),
      ...(thing.note ? [el("p", {}, thing.note)] : []), ...(thing.type === "body"
        ? [el("div", { class: "looks" }, ...this.looks([thing]))] : []), table);
    this.update();
  }

  /** Colour and opacity of bodies. */
  looks(bodies, names = "") {
    const [first] = bodies, of = names && ` of ${names}`;
    const colour = el("input", { type: "color", value: first.colour, "aria-label": `colour${of}`,
      oninput: () => this.viewer.dye(bodies, { colour: colour.value }) });
    const opacity = el("input", { type: "range", min: 0.1, max: 1, step: 0.05,
      value: first.opacity ?? 1, "aria-label": `opacity${of}`,
      oninput: () => this.viewer.dye(bodies, { opacity: +opacity.value }) });
    return [colour, "opacity", opacity];
  }

  /** Rows of label, unit, function that gives the number now, name, and function for a chart. */
  values(thing) {
    const { machine } = this.viewer, { motion } = machine, rows = [];
    const index = machine.bodies.indexOf(thing);
    if (index >= 0 && !this.viewer.data.standsIn) {
      for (let k = 0; k < 3; k++)
        rows.push([`position ${AXES[k]}`, "m", () => motion.value(7 * index + k),
          `${thing.name}.position.${AXES[k]}`, () => ({ xs: motion.times, ys: Float64Array.from(
            motion.times, (_, row) => motion.values[row * motion.columns + 7 * index + k]) })]);
      for (let k = 0; k < 3; k++)
        rows.push([`velocity ${AXES[k]}`, "m/s", () => motion.velocity(index)[k]]);
      rows.push(["speed", "m/s", () => Math.hypot(...motion.velocity(index))]);
      rows.push(["turning", "rad/s", () => Math.hypot(...motion.spin(index))]);
    }
    for (const { label, name, unit: own } of thing.values ?? [])
      rows.push([label, own, () => machine.value(name), name, () => machine.course(name)]);
    return rows;
  }

  update() {
    const least = 1e-9 * this.viewer.data.machine; // less is rounding, in metres as in metres a second
    for (const [cell, make, isOwn, factor] of this.cells ?? [])
      cell.textContent = number(factor * make(), isOwn ? factor * least : 0);
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
