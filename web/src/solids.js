// Surfaces of the shapes of bodies and of the glyphs of joints, with more or less detail.
import * as THREE from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";
import { mergeGeometries, toCreasedNormals } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { coarser } from "./coarser.js";

const Z = new THREE.Vector3(0, 0, 1);
const vector = (a) => new THREE.Vector3(...a);
const upright = (geometry) => geometry.rotateX(Math.PI / 2); // from three's y to our z
let detail = 1; // of what is being made: number of sides, in that of full care
const ROUND = 12; // sides of what is round, at least
const sides = (n, least = 6) =>
  Math.max(detail > 0.15 || least >= ROUND ? least : Math.min(least, 4), Math.round(n * detail));
const isCoarse = () => detail < 0.6;

/** Make surfaces with a detail between 0 and 1. */
export function withDetail(value, make) {
  const before = detail;
  detail = value;
  try { return make(); } finally { detail = before; }
}

const around = (radius, length, n = 24) =>
  upright(new THREE.CylinderGeometry(radius, radius, Math.max(length, 0.002 * radius), sides(n, ROUND)));

/** Round bar from one point to another. */
export function bar(start, end, radius) {
  const a = vector(start), line = vector(end).sub(a), length = line.length();
  const geometry = upright(new THREE.CapsuleGeometry(radius, length, sides(4, 1), sides(16, 5)));
  geometry.translate(0, 0, length / 2);
  geometry.applyQuaternion(new THREE.Quaternion().setFromUnitVectors(Z, line.normalize()));
  return geometry.translate(a.x, a.y, a.z);
}

/** Hollow cylinder about z. */
export function tube(inner, outer, length, n = 28) {
  const h = Math.max(length, 0.01 * outer) / 2, e = Math.min(0.08 * (outer - inner), 0.1 * h);
  if (isCoarse() && inner < 0.1 * outer) return around(outer, 2 * h, n);
  const rim = isCoarse() ? [[outer, -h], [outer, h]]
    : [[outer - e, -h], [outer, -h + e], [outer, h - e], [outer - e, h]];
  const profile = [[inner, -h], ...rim, [inner, h], [inner, -h]]
    .map(([x, y]) => new THREE.Vector2(Math.max(x, 1e-9), y));
  const flat = [];
  for (let k = 0; k + 1 < profile.length; k++)
    flat.push(new THREE.LatheGeometry([profile[k], profile[k + 1]], sides(n, ROUND)));
  return upright(joined(flat));
}

/** The same where something fills it: hollow only when it is seen near. */
const sleeve = (inner, outer, length) =>
  (isCoarse() ? around(outer, length) : tube(inner, outer, length));

function box(x, y, z) {
  const least = 0.002 * Math.max(x, y, z);
  const edges = [x, y, z].map((e) => Math.max(e, least));
  if (isCoarse()) return new THREE.BoxGeometry(...edges);
  const radius = Math.min(0.06 * Math.min(...edges), 0.015 * Math.max(...edges));
  return new RoundedBoxGeometry(...edges, 2, radius);
}

const ball = (r, round = 20, high = 12) =>
  upright(new THREE.SphereGeometry(r, sides(round, 5), sides(high, 3)));

const makers = {
  box,
  rod: (x, y, z, radius) => bar([0, 0, 0], [x, y, z], radius),
  bar: (a, b, c, x, y, z, r) => bar([a, b, c], [x, y, z], r),
  ball: (r) => ball(r, 32, 20),
  cylinder: (r, length) => tube(0, r, length, 40),
  tube: (inner, outer, length) => tube(inner, outer, length, 40),
  cone: (r, h) => upright(new THREE.ConeGeometry(r, h, sides(32, ROUND))).translate(0, 0, h / 2),
  ellipsoid: (x, y, z) => ball(1, 40, 24).scale(x, y, z),
};

/** One surface of many. */
export function joined(geometries) {
  for (const own of geometries) {
    for (const name of Object.keys(own.attributes))
      if (name !== "position" && name !== "normal") own.deleteAttribute(name);
    if (!own.index) own.setIndex(new THREE.BufferAttribute(
      Uint32Array.from({ length: own.attributes.position.count }, (_, k) => k), 1));
  }
  return geometries.length === 1 ? geometries[0] : mergeGeometries(geometries);
}

/** Surface of a shape {kind, size, position, rotation: x, y, z, w} of a body. */
export function shape(given, meshes) {
  const geometry = given.kind === "mesh" ? mesh(meshes[given.mesh])
    : makers[given.kind](...given.size, ...(given.radius ? [given.radius] : []));
  geometry.applyQuaternion(new THREE.Quaternion(...given.rotation));
  return geometry.translate(...given.position);
}

/** Surface of a mesh {points, triangles} of the page, smooth but at edges [rad]. */
function mesh({ points, triangles }) {
  const most = 4000 * detail * detail;
  if (detail < 1 && triangles.length > 3 * most)
    ({ points, triangles } = coarser(points, triangles, most));
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(points, 3));
  geometry.setIndex(new THREE.BufferAttribute(triangles, 1));
  return toCreasedNormals(geometry, 0.6);
}

/** Line of a helix about z; its ends run to the axis. */
class Helix extends THREE.Curve {
  constructor(turns, radius, height = 1, lead = 0.12) {
    super();
    Object.assign(this, { turns, radius, height, lead });
  }

  getPoint(s, target = new THREE.Vector3()) {
    const angle = 2 * Math.PI * this.turns * s;
    const ramp = Math.min(1, Math.min(s, 1 - s) / this.lead + 1e-6);
    return target.set(
      this.radius * ramp * Math.cos(angle), this.radius * ramp * Math.sin(angle), this.height * s);
  }
}

/** Coil spring of unit radius and length about z, its wire round at a length in radii. */
export const coil = (length, turns = 9) =>
  new THREE.TubeGeometry(new Helix(turns, 1, length), sides(24, 10) * turns, 0.16, sides(8, 4))
    .scale(1, 1, 1 / length);

/** Round wire along points x, y, z one after the other. */
export function wire(points, radius) {
  const path = [];
  for (let k = 0; k < points.length; k += 3) path.push(vector(points.subarray(k, k + 3)));
  const curve = new THREE.CatmullRomCurve3(path);
  return new THREE.TubeGeometry(curve, 2 * path.length, radius, sides(10, 4));
}

const at = (geometry, x, y, z) => geometry.translate(x, y, z);
const along = (geometry, axis) =>
  geometry.applyQuaternion(new THREE.Quaternion().setFromUnitVectors(Z, vector(axis)));
const ring = (r, wire) => new THREE.TorusGeometry(r, wire, sides(10, 4), sides(32, 10));

function thread(length, radius) {
  const line = new Helix(6, radius, length, 1e-3);
  const wire = new THREE.TubeGeometry(line, sides(150, 48), 0.16, sides(6, 4));
  return wire.translate(0, 0, -length / 2);
}

const cup = () => upright(new THREE.SphereGeometry(1.15, sides(32, 8), sides(16, 5), 0,
  2 * Math.PI, Math.PI * 0.42, Math.PI * 0.58));

// Parts of glyphs of unit radius: [on the parent, on the child], axes along z.
const glyphs = {
  revolute: () => [
    [at(sleeve(0.62, 1, 0.5), 0, 0, 0.75), at(sleeve(0.62, 1, 0.5), 0, 0, -0.75)],
    [around(0.55, 2.6)],
  ],
  cylindrical: () => [[around(0.45, 6)], [sleeve(0.5, 1, 2.2)]],
  prismatic: (travel) => [
    [at(box(0.36, 0.36, travel[1] - travel[0] + 3), 0, 0, (travel[0] + travel[1]) / 2)],
    [sleeve(0.5, 0.95, 1.8).rotateZ(Math.PI / 4)],
  ],
  screw: () => [[around(0.5, 5), thread(5, 0.5)], [sleeve(0.62, 1.1, 1.2)]],
  spherical: () => [[cup()], [ball(1)]],
  universal: () => [[], [ball(0.55)]],
  pin: () => [[around(0.4, 2.6, 16)], []],
  constant_velocity: () => [[ring(1.1, 0.22)], [ball(0.85)]],
  gimbal: () => [[ring(1.5, 0.14)], [ring(1.15, 0.14).rotateX(Math.PI / 2), ball(0.5)]],
  planar: () => [[box(4.4, 4.4, 0.12)], [sleeve(0.4, 1, 0.5)]],
  fixed: () => [[box(1.3, 1.3, 1.3)], []],
  bead: () => [[], [ball(0.9)]],
  contact: () => [[ring(0.9, 0.16)], []],
  other: () => [[new THREE.OctahedronGeometry(1.1)], []],
  none: () => [[], []],
};

const parts = ({ kind, travel }, side) => glyphs[kind](travel ?? [0, 0])[side];

/** Whether a glyph has a part on the parent (0) or on the child (1). */
export function hasSide(given, side) {
  sided[given.kind] ??= withDetail(0.1, () => [0, 1].map((k) => parts(given, k).length > 0));
  return sided[given.kind][side];
}

const sided = {};

/** Surface of a glyph {kind, size, axis, travel} on the parent (0) or on the child (1). */
export function glyph(given, side) {
  const { size } = given;
  return along(joined(parts(given, side)).scale(size, size, size), given.axis);
}

/** Three coloured axes of unit length. */
export function triad() {
  const colours = ["#d55e00", "#009e73", "#0072b2"];
  const arrows = ["x", "y", "z"].map((_, k) => {
    const arrow = joined([
      at(around(0.025, 0.85, 10), 0, 0, 0.425),
      at(upright(new THREE.ConeGeometry(0.07, 0.18, 16)), 0, 0, 0.91),
    ]);
    along(arrow, [+(k === 0), +(k === 1), +(k === 2)]);
    const colour = new THREE.Color(colours[k]), n = arrow.attributes.position.count;
    const paint = new Float32Array(3 * n);
    for (let i = 0; i < n; i++) colour.toArray(paint, 3 * i);
    return arrow.setAttribute("color", new THREE.BufferAttribute(paint, 3));
  });
  return mergeGeometries(arrows);
}

/** Shaft and head of an arrow along z, each of unit length and radius. */
export const shaft = () => at(around(1, 1, 16), 0, 0, 0.5);
export const head = () => at(upright(new THREE.ConeGeometry(1, 1, sides(24))), 0, 0, 0.5);
export const pot = () => at(sleeve(0.75, 1, 1), 0, 0, 0.5);
