// What is below the pointer: its name, and what a click selects.
import * as THREE from "three";
import { el } from "./dom.js";

export class Pointer {
  constructor(viewer) {
    Object.assign(this, { viewer, caster: new THREE.Raycaster() });
    const { surface } = viewer.stage;
    surface.addEventListener("pointermove", (event) => {
      this.place = event.buttons ? null : [event.clientX, event.clientY];
      if (this.place) viewer.wake();
    });
    surface.addEventListener("pointerleave", () => { this.place = null; this.tell(null); });
    let down = null;
    surface.addEventListener("pointerdown", (event) => {
      down = [event.clientX, event.clientY];
      this.tell(null);
    });
    surface.addEventListener("pointerup", (event) => {
      if (!down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 5) return;
      const thing = this.pick(event.clientX, event.clientY);
      viewer.select(viewer.machine.things.includes(thing) ? thing : null);
    });
  }

  /** Thing at a point of the screen, or null. */
  pick(x, y) {
    const { stage, machine } = this.viewer, box = stage.canvas.getBoundingClientRect();
    const at = new THREE.Vector2(
      (2 * (x - box.left)) / box.width - 1, 1 - (2 * (y - box.top)) / box.height);
    this.caster.setFromCamera(at, stage.camera);
    const meshes = [...machine.things, ...machine.frames.map((f) => f.mesh.userData.thing)]
      .flatMap((thing) => thing.meshes);
    const hit = this.caster.intersectObjects(meshes.filter((m) => m.visible && m.parent.visible), false)[0];
    return hit?.object.userData.thing ?? this.dotted(x - box.left, y - box.top, box);
  }

  /** Body whose dot is at a point of the canvas, or null. */
  dotted(x, y, box) {
    const { stage, machine } = this.viewer, own = new THREE.Vector3();
    return machine.dotted.find(({ object }) => {
      object.getWorldPosition(own).project(stage.camera);
      const away = [x - 0.5 * (1 + own.x) * box.width, y - 0.5 * (1 - own.y) * box.height];
      return own.z < 1 && Math.hypot(...away) < 8;
    }) ?? null;
  }

  /** Find what is below the pointer, once a frame. */
  look() {
    if (!this.place) return;
    const thing = this.pick(...this.place);
    this.tell(thing, this.place);
    if (!this.viewer.playing) this.place = null;
  }

  tell(thing, place) {
    const { viewer } = this, { tip } = viewer;
    viewer.hover(viewer.machine.things.includes(thing) ? thing : null);
    tip.hidden = !thing;
    viewer.stage.surface.style.cursor = thing ? "pointer" : "grab";
    if (!thing) return;
    const box = viewer.view.getBoundingClientRect();
    tip.replaceChildren(thing.label ?? thing.name, el("small", {}, thing.word ?? thing.type));
    const x = place[0] - box.left, y = place[1] - box.top;
    const turn = x > 0.7 * box.width;
    tip.style.transform = `translate(${x + (turn ? -14 : 14)}px, ${y + 16}px)`
      + (turn ? " translateX(-100%)" : "");
  }
}
