// One solution on the stage: bodies, joints, what stretches between them, arrows, traces.
import * as THREE from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { Arrow } from "./arrow.js";
import { Curve, Motion } from "./motion.js";
import { Paint } from "./paint.js";
import * as solids from "./solids.js";
import { Skin } from "./skin.js";
import { array, table } from "./unpack.js";

const Z = new THREE.Vector3(0, 0, 1);
const ACCENT = new THREE.Color("#ffb000");
// Colours of joints: what sits on the parent, what sits on the child.
const NOTHING = new Paint("#000000", { visible: false });
const SMALL = 0.004; // of all that is in sight: a body of this radius is hardly seen
const DETAILS = [1, 0.65, 0.45, 0.3, 0.2, 0.1];
const metal = { light: ["#5b6674", "#aeb8c4"], dark: ["#8793a1", "#d5dce4"] };

export class Machine {
  constructor(data, meshes, size, isGhost, reach) {
    Object.assign(this, { data, size, isGhost, solid: [], surfaces: new Map(), isGlass: false });
    this.group = new THREE.Group();
    this.motion = new Motion(array(data.times), table(data.motion), data.bodies.length);
    this.tracks = new Map();
    data.tracks?.names.forEach((name, k) => this.tracks.set(name, k));
    this.bodies = data.bodies.map((body) => this.body(body, meshes));
    this.things = [...this.bodies];
    this.joints = [];
    this.stretches = [];
    this.aimed = new Map(); // arrows, made when they are first shown
    this.traces = [];
    this.markers = [];
    this.frames = [];
    if (!isGhost) this.furnish(meshes);
    if (!isGhost) this.dot(SMALL * reach);
    this.update(this.motion.times[0]);
  }

  furnish(meshes) {
    const { data } = this;
    if (data.ground.length) {
      const make = () => solids.joined(data.ground.map((s) => solids.shape(s, meshes)));
      this.add(this.group, "ground", make, new Paint("#9aa3ad", { roughness: 0.8 }), null)
        .userData.isStill = true;
    }
    this.joints = data.joints.map((joint) => this.joint(joint));
    this.stretches = data.stretches.map((own) => this.stretch(own));
    this.markers = data.markers.map((own) => this.marker(own));
    this.traces = data.traces.map((own) => this.trace(own));
    this.frames = data.frames.map((own) => this.frame(own));
    this.lines = data.lines.map((own) => this.line(own));
    this.things.push(...this.joints, ...this.stretches, ...this.markers);
  }

  /** Group that moves with a body; the world's is the group of all. */
  holder(body) {
    return body < 0 ? this.group : this.bodies[body].object;
  }

  get arrows() {
    return [...this.aimed.values()];
  }

  /** Value of a quantity now; they are unpacked when the first is asked for. */
  value(name) {
    const k = this.tracks.get(name), { tracks } = this.data;
    if (k === undefined) return undefined;
    this.quantities ??= new Curve(array(tracks.times), table(tracks.table), tracks.names.length);
    this.quantities.seek(this.t);
    return this.quantities.value(k);
  }

  /** Mesh in an object; surfaces with equal keys are one. */
  add(parent, key, make, paint, thing) {
    const mesh = new THREE.Mesh();
    mesh.castShadow = mesh.receiveShadow = !this.isGhost;
    mesh.matrixAutoUpdate = false; // it rests in what carries it
    Object.assign(mesh.userData, { thing, key, make, paint, isStill: parent.userData.isStill });
    parent.add(mesh);
    thing?.meshes.push(mesh);
    this.solid.push(mesh);
    if (this.detail) this.dress(mesh);
    return mesh;
  }

  dress(mesh) {
    mesh.geometry = this.surface(mesh.userData, this.detail);
    mesh.material = mesh.userData.paint.of(this.isCareful);
  }

  surface({ key, make }, detail) {
    const own = `${detail} ${key}`;
    if (!this.surfaces.has(own)) this.surfaces.set(own, solids.withDetail(detail, make));
    return this.surfaces.get(own);
  }

  /** Number of triangles with a detail. */
  count(detail) {
    return this.solid.reduce((n, { userData }) =>
      n + this.surface(userData, detail).index.count / 3, 0);
  }

  /** Draw with care or quickly, with at most about so many triangles. */
  care({ careful, triangles }) {
    const least = DETAILS.at(-1);
    const most = triangles === Infinity ? 1
      : least * Math.sqrt(triangles / Math.max(this.count(least), 1));
    this.detail = DETAILS.find((d) => d <= 2 * most // a guess: what is round keeps some sides
      && (triangles === Infinity || this.count(d) <= triangles)) ?? least;
    this.isCareful = careful;
    for (const mesh of this.solid) this.dress(mesh);
    for (const own of this.traces) own.isThin = !careful;
    this.show(this.layers);
  }

  /** Whether a thing is to be seen, for which its layer and its own eye must be open. */
  setEye(things, open) {
    for (const thing of things) thing.isHidden = !open;
    for (const thing of things) for (const m of thing.meshes)
      m.visible = open && (thing.type !== "joint" || this.layers.joints);
  }

  /** Change colour and opacity of a body. */
  dye(body, { colour, opacity = body.opacity ?? 1 }) {
    if (colour) body.paint.tint.set(colour);
    Object.assign(body, { colour: colour ?? body.colour, opacity });
    this.fade(body);
  }

  fade({ paint, opacity = 1 }) {
    const shown = this.isGlass ? Math.min(opacity, 0.3) : opacity;
    paint.set({ transparent: shown < 1, depthWrite: shown === 1 }, shown);
  }

  /** Times and values of a quantity over the whole run. */
  course(name) {
    const { tracks } = this.data, n = tracks.names.length, k = this.tracks.get(name);
    this.quantities ??= new Curve(array(tracks.times), table(tracks.table), n);
    const { times, values } = this.quantities;
    return { xs: times, ys: Float64Array.from(times, (_, row) => values[row * n + k]) };
  }

  body(given, meshes) {
    const object = new THREE.Group();
    const thing = { ...given, type: "body", object, meshes: [], index: 0 };
    const { skin: own } = given, paint = { ...own?.stress && { vertexColors: true } };
    if (own) thing.skin = new Skin(own, meshes[given.shapes[0].mesh]);
    thing.paint = new Paint(own?.stress ? "#ffffff" : given.colour,
      { opacity: this.isGhost ? 0.32 : given.opacity ?? 1, ...paint });
    const make = () => thing.skin?.geometry
      ?? solids.joined(given.shapes.map((s) => solids.shape(s, meshes)));
    if (given.shapes.length)
      this.add(object, own ? `skin ${given.name}` : JSON.stringify(given.shapes), make,
        thing.paint, thing);
    this.group.add(object);
    return thing;
  }

  /** Dots for bodies that are too small to be seen from where everything is. */
  dot(least) {
    this.dotted = this.bodies.filter(({ meshes: [mesh] }) => {
      if (!mesh) return false;
      const surface = this.surface(mesh.userData, DETAILS.at(-1));
      surface.computeBoundingSphere();
      return surface.boundingSphere.radius < least;
    });
    if (!this.dotted.length) return;
    const tints = this.dotted.flatMap(({ paint }) => paint.tint.toArray());
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(tints.length, 3));
    geometry.setAttribute("color", new THREE.Float32BufferAttribute(tints, 3));
    this.dots = new THREE.Points(geometry, new THREE.PointsMaterial({
      size: 7, sizeAttenuation: false, vertexColors: true }));
    this.dots.frustumCulled = false;
    this.group.add(this.dots);
  }

  joint(given) {
    const thing = { ...given, type: "joint", meshes: [], isOver: false };
    thing.paints = [0, 1].map(() => new Paint("#888888", { roughness: 0.45, metalness: 0.1 }));
    [given.parent, given.child].forEach((end, side) => {
      const own = given.glyphs.filter((glyph) => solids.hasSide(glyph, side));
      if (!own.length) return;
      const make = () => solids.joined(own.map((glyph) => solids.glyph(glyph, side)));
      const key = `${side} ${JSON.stringify(own)}`;
      this.add(this.end(end), key, make, thing.paints[side], thing).castShadow = false;
    });
    if (given.path) this.add(this.end(given.parent), `path ${given.name}`,
      () => solids.wire(array(given.path), 0.3 * given.size), thing.paints[0], thing);
    thing.object = this.end(given.child);
    return thing;
  }

  end(place) {
    const object = new THREE.Group();
    object.position.fromArray(place.position);
    object.quaternion.fromArray(place.rotation);
    object.updateMatrix();
    object.matrixAutoUpdate = false;
    object.userData.isStill = place.body < 0;
    this.holder(place.body).add(object);
    return object;
  }

  /** Object that stands at a point: on a body, or with three quantities as coordinates. */
  point(given) {
    const object = new THREE.Group();
    if (given.track) {
      object.userData.track = [".x", ".y", ".z"].map((axis) => given.track + axis);
      this.group.add(object);
    } else {
      object.position.fromArray(given.position);
      this.holder(given.body).add(object);
    }
    return object;
  }

  stretch(given) {
    const thing = { ...given, type: given.kind, meshes: [], object: new THREE.Group() };
    thing.points = given.through.map((point) => this.point(point));
    thing.paint = new Paint(given.colour, { roughness: 0.4, metalness: 0.1 });
    thing.parts = thing.points.slice(1).map(() => this.segment(given, thing));
    this.group.add(thing.object);
    return thing;
  }

  segment(given, thing) {
    const group = new THREE.Group(), r = given.radius;
    const part = (key, make, role, paint = thing.paint) => {
      const mesh = this.add(group, key, make, paint, thing);
      mesh.userData.role = role;
      mesh.matrixAutoUpdate = true;
    };
    const coil = () => {
      part(`coil ${given.rest / r}`, () => solids.coil(given.rest / r), "coil");
      part("shaft", solids.shaft, "grip", NOTHING); // the pointer finds it between the turns, too
    };
    if (given.kind === "spring") coil();
    else if (given.kind === "damper" || given.kind === "strut") {
      part("pot", solids.pot, "pot");
      part("shaft", solids.shaft, "piston");
      if (given.kind === "strut") coil();
    }
    else if (given.kind !== "hidden") part("shaft", solids.shaft, "rope");
    group.userData.radius = r;
    this.group.add(group);
    return group;
  }

  marker(given) {
    const thing = { ...given, type: given.active ? "contact" : "mark", meshes: [] };
    thing.object = this.point(given.point);
    thing.paint = new Paint(given.colour, { light: 0.4, over: true }); // bodies would hide it
    const make = () => solids.shape({ kind: "ball", size: [given.radius], position: [0, 0, 0],
      rotation: [0, 0, 0, 1] });
    this.add(thing.object, `marker ${given.radius}`, make, thing.paint, thing).renderOrder = 4;
    return thing;
  }

  trace(given) {
    const { motion } = this, n = motion.times.length, points = new Float32Array(3 * n);
    const probe = new THREE.Group(), own = new THREE.Vector3(), times = motion.times;
    for (let k = 0; k < n; k++) {
      motion.seek(times[k]);
      if (given.point.body >= 0) motion.place(probe, given.point.body);
      own.fromArray(given.point.position).applyQuaternion(probe.quaternion).add(probe.position);
      own.toArray(points, 3 * k);
    }
    const thin = new THREE.BufferGeometry();
    thin.setAttribute("position", new THREE.BufferAttribute(points, 3));
    const whole = new THREE.Line(thin, new THREE.LineBasicMaterial({
      color: given.colour, transparent: true, opacity: 0.4, depthWrite: false }));
    const part = new THREE.BufferGeometry();
    part.setAttribute("position", thin.attributes.position);
    const slim = new THREE.Line(part, new THREE.LineBasicMaterial({ color: given.colour }));
    const thick = new LineGeometry();
    thick.setPositions(points);
    const passed = new Line2(thick, new LineMaterial({ color: given.colour, linewidth: 2.4 }));
    passed.frustumCulled = whole.frustumCulled = slim.frustumCulled = false;
    whole.userData.isStill = true;
    this.group.add(whole, passed, slim);
    return { ...given, whole, passed, slim };
  }

  line(given) {
    const geometry = new LineGeometry();
    geometry.setPositions(array(given.points));
    const line = new Line2(geometry, new LineMaterial({ color: given.colour, linewidth: 1.8 }));
    line.frustumCulled = false;
    line.userData.isStill = given.place.body < 0;
    this.end(given.place).add(line);
    return { ...given, line };
  }

  frame(given) {
    const object = this.end(given.place);
    this.triad ??= solids.triad();
    const mesh = new THREE.Mesh(this.triad, new THREE.MeshStandardMaterial({
      vertexColors: true, roughness: 0.7, depthTest: false, transparent: true }));
    mesh.renderOrder = 3; // seen inside its body
    mesh.scale.setScalar(given.size);
    mesh.visible = false;
    mesh.userData.thing = { name: given.name, type: "frame", meshes: [mesh], object };
    object.add(mesh);
    return { ...given, object, mesh };
  }

  theme(name) {
    for (const joint of this.joints)
      joint.paints.forEach((own, side) => own.tint.set(metal[name][side]));
  }

  /** Light up a thing; null for none. */
  highlight(thing, hovered) {
    for (const own of this.things) {
      const strength = own === thing ? 0.55 : own === hovered ? 0.22 : 0;
      if (own.type === "contact" || own.type === "mark") continue;
      for (const paint of own.paints ?? [own.paint])
        paint.glow.copy(ACCENT).multiplyScalar(strength);
      if (own.type !== "joint" || own.isOver === (own === thing)) continue;
      own.isOver = own === thing; // seen inside its bodies
      for (const paint of own.paints) paint.set({ depthTest: !own.isOver });
      for (const m of own.meshes) m.renderOrder = own.isOver ? 4 : 0;
    }
  }

  /** Let layers be seen. */
  show(layers) {
    this.layers = layers;
    if (this.isGhost || !layers) return;
    for (const joint of this.joints) for (const m of joint.meshes)
      m.visible = layers.joints && !joint.isHidden;
    for (const own of this.traces) {
      own.whole.visible = layers.traces;
      own.passed.visible = layers.traces && !own.isThin;
      own.slim.visible = layers.traces && own.isThin;
    }
    for (const given of this.data.arrows) {
      const shown = layers[`${given.kind}s`];
      if (shown && !this.aimed.has(given)) this.aimed.set(given, new Arrow(this, given));
      this.aimed.get(given)?.show(shown);
    }
    if (this.isGlass === layers.glass) return;
    this.isGlass = layers.glass;
    for (const body of this.bodies) this.fade(body);
  }

  /** Put everything where it is at a time. */
  update(t) {
    const { motion } = this, times = motion.times;
    this.t = Math.min(Math.max(t, times[0]), times[times.length - 1]);
    motion.seek(this.t);
    this.bodies.forEach((body, k) => motion.place(body.object, k));
    if (this.isGhost) return;
    for (const { skin } of this.bodies) skin?.move(skin.names.map((name) => this.value(name) ?? 0));
    for (const own of this.markers) this.move(own.object);
    for (const own of this.stretches) this.span(own);
    this.dotted?.forEach(({ object: { position: { x, y, z } } }, k) =>
      this.dots.geometry.attributes.position.setXYZ(k, x, y, z).needsUpdate = true);
    for (const own of this.arrows) if (own.shown) own.aim();
    for (const own of this.traces) {
      own.passed.geometry.instanceCount = Math.max(motion.k, 0);
      own.slim.geometry.setDrawRange(0, motion.k + 1);
    }
    for (const own of this.markers)
      if (own.active) own.object.visible = this.value(own.active) > own.least;
  }

  /** Where a point is, in the coordinates of the world of the model. */
  place(point, out = new THREE.Vector3()) {
    this.move(point);
    if (point.userData.track) return out.copy(point.position);
    if (point.parent === this.group) return out.copy(point.position);
    const body = point.parent;
    return out.copy(point.position).applyQuaternion(body.quaternion).add(body.position);
  }

  move(point) {
    const { track } = point.userData;
    if (track) point.position.set(...track.map((name) => this.value(name) ?? 0));
  }

  span(own) {
    const ends = own.points.map((point) => this.place(point));
    own.object.position.copy(ends[0]).lerp(ends[1], 0.5);
    own.parts.forEach((part, k) => {
      const line = ends[k + 1].clone().sub(ends[k]), length = Math.max(line.length(), 1e-9);
      part.position.copy(ends[k]);
      part.quaternion.setFromUnitVectors(Z, line.normalize());
      const thin = own.kind === "strut" ? 0.5 : 1; // the damper inside the coil
      for (const mesh of part.children)
        stretched(mesh, part.userData.radius, length, own.rest, thin);
    });
  }
}

function stretched(mesh, radius, length, rest, thin) {
  const { role } = mesh.userData, inner = thin * radius;
  if (role === "coil") mesh.scale.set(radius, radius, length);
  else if (role === "pot") mesh.scale.set(inner, inner, Math.min(0.55 * rest, length));
  else if (role === "piston") mesh.scale.set(0.35 * inner, 0.35 * inner, length);
  else mesh.scale.set(radius, radius, length);
}
