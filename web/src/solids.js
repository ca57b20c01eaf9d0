// Surfaces of the shapes of bodies and of the glyphs of joints.
import * as THREE from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";
import { mergeGeometries, toCreasedNormals } from "three/examples/jsm/utils/BufferGeometryUtils.js";

const Z = new THREE.Vector3(0, 0, 1);
const vector = (a) => new THREE.Vector3(...a);
const upright = (geometry) => geometry.rotateX(Math.PI / 2); // from three's y to our z

const around = (radius, length, sides = 24) =>
  upright(new THREE.CylinderGeometry(radius, radius, Math.max(length, 0.002 * radius), sides));

/** Round bar from one point to another. */
export function bar(start, end, radius) {
  const a = vector(start), line = vector(end).sub(a), length = line.length();
  const geometry = upright(new THREE.CapsuleGeometry(radius, length, 4, 16));
  geometry.translate(0, 0, length / 2);
  geometry.applyQuaternion(new THREE.Quaternion().setFromUnitVectors(Z, line.normalize()));
  return geometry.translate(a.x, a.y, a.z);
}

/** Hollow cylinder about z. */
export function tube(inner, outer, length, sides = 28) {
  const h = Math.max(length, 0.01 * outer) / 2, e = Math.min(0.08 * (outer - inner), 0.1 * h);
  const profile = [[inner, -h], [outer - e, -h], [outer, -h + e], [outer, h - e], [outer - e, h],
    [inner, h], [inner, -h]].map(([x, y]) => new THREE.Vector2(Math.max(x, 1e-9), y));
  const flat = [];
  for (let k = 0; k + 1 < profile.length; k++)
    flat.push(new THREE.LatheGeometry([profile[k], profile[k + 1]], sides));
  return upright(joined(flat));
}

function box(x, y, z) {
  const least = 0.002 * Math.max(x, y, z);
  const edges = [x, y, z].map((e) => Math.max(e, least));
  const radius = Math.min(0.06 * Math.min(...edges), 0.015 * Math.max(...edges));
  return new RoundedBoxGeometry(...edges, 2, radius);
}

const ball = (r, round = 20, high = 12) => upright(new THREE.SphereGeometry(r, round, high));

const makers = {
  box,
  rod: (x, y, z, radius) => bar([0, 0, 0], [x, y, z], radius),
  bar: (a, b, c, x, y, z, r) => bar([a, b, c], [x, y, z], r),
  ball: (r) => ball(r, 32, 20),
  cylinder: (r, length) => tube(0, r, length, 40),
  tube: (inner, outer, length) => tube(inner, outer, length, 40),
  cone: (r, h) => upright(new THREE.ConeGeometry(r, h, 32)).translate(0, 0, h / 2),
  ellipsoid: (x, y, z) => upright(new THREE.SphereGeometry(1, 40, 24)).scale(x, y, z),
};

/** One surface of many. */
export function joined(geometries) {
  const plain = geometries.map((g) => {
    const own = g.index ? g.toNonIndexed() : g;
    for (const name of Object.keys(own.attributes))
      if (name !== "position" && name !== "normal") own.deleteAttribute(name);
    return own;
  });
  return plain.length === 1 ? plain[0] : mergeGeometries(plain);
}

/** Surface of a shape {kind, size, position, rotation: x, y, z, w} of a body. */
export function shape(given, meshes) {
  const geometry = given.kind === "mesh"
    ? meshes[given.mesh].clone() : makers[given.kind](...given.size, ...(given.radius ? [given.radius] : []));
  geometry.applyQuaternion(new THREE.Quaternion(...given.rotation));
  return geometry.translate(...given.position);
}

/** Surface of a mesh of the page, smooth but at edges [rad]. */
export function mesh(points, triangles) {
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
  new THREE.TubeGeometry(new Helix(turns, 1, length), 24 * turns, 0.16, 8).scale(1, 1, 1 / length);

const at = (geometry, x, y, z) => geometry.translate(x, y, z);
const along = (geometry, axis) =>
  geometry.applyQuaternion(new THREE.Quaternion().setFromUnitVectors(Z, vector(axis)));
const ring = (r, wire) => new THREE.TorusGeometry(r, wire, 10, 32);

function thread(length, radius) {
  const wire = new THREE.TubeGeometry(new Helix(6, radius, length, 1e-3), 150, 0.16, 6);
  return wire.translate(0, 0, -length / 2);
}

const cup = () => upright(new THREE.SphereGeometry(1.15, 32, 16, 0, 2 * Math.PI, Math.PI * 0.42,
  Math.PI * 0.58));

// Parts of glyphs of unit radius: [on the parent, on the child], axes along z.
const glyphs = {
  revolute: () => [
    [at(tube(0.62, 1, 0.5), 0, 0, 0.75), at(tube(0.62, 1, 0.5), 0, 0, -0.75)],
    [around(0.55, 2.6)],
  ],
  cylindrical: () => [[around(0.45, 6)], [tube(0.5, 1, 2.2)]],
  prismatic: (travel) => [
    [at(box(0.36, 0.36, travel[1] - travel[0] + 3), 0, 0, (travel[0] + travel[1]) / 2)],
    [tube(0.5, 0.95, 1.8).rotateZ(Math.PI / 4)],
  ],
  screw: () => [[around(0.5, 5), thread(5, 0.5)], [tube(0.62, 1.1, 1.2)]],
  spherical: () => [[cup()], [ball(1)]],
  universal: () => [[], [ball(0.55)]],
  pin: () => [[around(0.4, 2.6, 16)], []],
  constant_velocity: () => [[ring(1.1, 0.22)], [ball(0.85)]],
  gimbal: () => [[ring(1.5, 0.14)], [ring(1.15, 0.14).rotateX(Math.PI / 2), ball(0.5)]],
  planar: () => [[box(4.4, 4.4, 0.12)], [tube(0.4, 1, 0.5)]],
  fixed: () => [[box(1.3, 1.3, 1.3)], []],
  bead: () => [[], [ball(0.9)]],
  contact: () => [[ring(0.9, 0.16)], []],
  other: () => [[new THREE.OctahedronGeometry(1.1)], []],
  none: () => [[], []],
};

/** Surfaces of a glyph {kind, size, axis, travel} on the parent and on the child, or null. */
export function glyph(given) {
  const sides = glyphs[given.kind](given.travel ?? [0, 0]);
  return sides.map((parts) => parts.length
    ? along(joined(parts).scale(given.size, given.size, given.size), given.axis) : null);
}

/** Three coloured axes of unit length. */
export function triad() {
  const colours = ["#d55e00", "#009e73", "#0072b2"];
  const parts = ["x", "y", "z"].map((_, k) => {
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
  return mergeGeometries(parts);
}

/** Shaft and head of an arrow along z, each of unit length and radius. */
export const shaft = () => at(around(1, 1, 16), 0, 0, 0.5);
export const head = () => at(upright(new THREE.ConeGeometry(1, 1, 24)), 0, 0, 0.5);
export const pot = () => at(tube(0.75, 1, 1), 0, 0, 0.5);
