// Surface of a flexible body: it bends with the coordinates of the body, coloured by stress.
import * as THREE from "three";
import { array } from "./unpack.js";

const COLD = new THREE.Color("#3b6fb5"), WARM = new THREE.Color("#f0e6a0");
const HOT = new THREE.Color("#c8322b");

export class Skin {
  constructor({ names, modes, pairs = [], quadratic, stress, most, bend }, { points, triangles }) {
    Object.assign(this, { names, most, bend, pairs, rest: points, modes: array(modes) });
    this.quadratic = quadratic && array(quadratic);
    this.stress = stress ? array(stress) : null;
    this.geometry = new THREE.BufferGeometry();
    this.geometry.setIndex(new THREE.BufferAttribute(triangles, 1));
    this.geometry.setAttribute("position", new THREE.BufferAttribute(points.slice(), 3));
    if (stress)
      this.geometry.setAttribute("color", new THREE.BufferAttribute(points.slice().fill(1), 3));
    this.geometry.userData.bends = true;
    this.move(names.map(() => 0));
  }

  /** Bend it by values of its coordinates. */
  move(values) {
    const { geometry, rest, modes, quadratic, bend } = this, { position, color } = geometry.attributes;
    const size = rest.length, out = position.array;
    const add = (by, fields, start) => {
      if (by) for (let i = 0; i < size; i++) out[i] += by * fields[start + i];
    };
    out.set(rest);
    values.forEach((value, k) => add(bend * value, modes, k * size));
    this.pairs.forEach(([i, j], k) => add(bend * bend * values[i] * values[j], quadratic, k * size));
    position.needsUpdate = true;
    geometry.computeVertexNormals();
    geometry.computeBoundingSphere();
    if (this.stress) this.paint(values, color);
  }

  /** Colours by the stress after von Mises. */
  paint(values, color) {
    const { stress } = this, n = this.rest.length / 3, tint = new THREE.Color(), s = [];
    for (let i = 0; i < n; i++) {
      s.fill(0, 0, 6);
      for (let c = 0; c < 6; c++) {
        s[c] = 0;
        values.forEach((value, k) => { s[c] += value * stress[(k * n + i) * 6 + c]; });
      }
      const apart = (s[0] - s[1]) ** 2 + (s[1] - s[2]) ** 2 + (s[2] - s[0]) ** 2;
      const shear = s[3] ** 2 + s[4] ** 2 + s[5] ** 2;
      const part = Math.min(Math.sqrt(apart / 2 + 3 * shear) / this.most, 1);
      if (part < 0.5) tint.lerpColors(COLD, WARM, 2 * part);
      else tint.lerpColors(WARM, HOT, 2 * part - 1);
      tint.toArray(color.array, 3 * i);
    }
    color.needsUpdate = true;
  }
}
