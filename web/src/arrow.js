// A vector, drawn to scale.
import * as THREE from "three";
import { Paint } from "./paint.js";
import * as solids from "./solids.js";

const Z = new THREE.Vector3(0, 0, 1);

export class Arrow {
  constructor(machine, given) {
    Object.assign(this, given, { machine, group: new THREE.Group() });
    this.paint = new Paint(given.colour, { roughness: 0.6, light: 0.35, over: true });
    this.shaft = this.part("shaft", solids.shaft);
    this.heads = Array.from({ length: given.kind === "torque" ? 2 : 1 },
      () => this.part("head", solids.head));
    this.start = machine.point(given.point);
    this.isTurned = given.axes?.body >= 0;
    if (this.isTurned) this.body = machine.holder(given.axes.body);
    this.turn = new THREE.Quaternion(...(given.axes?.rotation ?? [0, 0, 0, 1]));
    this.group.visible = false;
    machine.group.add(this.group);
  }

  part(key, make) {
    const mesh = this.machine.add(this.group, key, make, this.paint, null);
    mesh.renderOrder = 5; // seen through the bodies that it acts on
    mesh.matrixAutoUpdate = true;
    mesh.castShadow = mesh.receiveShadow = false;
    return mesh;
  }

  show(on) {
    this.shown = on;
    this.group.visible &&= on;
  }

  /** Let it start where it acts and be as long as the vector is now. */
  aim() {
    const { machine, group } = this;
    const numbers = this.vector
      ? this.vector.map((x) => (typeof x === "string" ? machine.value(x) ?? 0 : x)) : [0, 0, 0];
    const v = new THREE.Vector3(...numbers).applyQuaternion(this.turn);
    if (this.isTurned) v.applyQuaternion(this.body.quaternion);
    const length = v.length() * this.scale, wide = 0.009 * machine.size;
    this.length = v.length();
    group.visible = this.shown && length > 0.5 * wide;
    if (!group.visible) return;
    group.position.copy(machine.place(this.start));
    group.quaternion.setFromUnitVectors(Z, v.normalize());
    const top = Math.min(3.2 * wide, 0.6 * length);
    this.shaft.scale.set(0.38 * wide, 0.38 * wide, Math.max(length - top, 1e-9));
    this.heads.forEach((cone, k) => {
      cone.scale.set(wide, wide, top);
      cone.position.z = length - top * (1 + 0.7 * k);
    });
  }
}
