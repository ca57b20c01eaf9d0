// Draws the stage where there is no WebGL: faces from far to near on a plain canvas.
import * as THREE from "three";
import { lamps } from "./paint.js";

const NEAR = 1e-6;
const clip = new THREE.Matrix4(), point = new THREE.Vector3(), white = new THREE.Color("#ffffff");
const a = new THREE.Vector3(), b = new THREE.Vector3(), normal = new THREE.Vector3();
const light = new THREE.Color(), hue = new THREE.Color();

/** Takes the place of a WebGLRenderer, as far as the stage uses it. */
export class FlatRenderer {
  constructor(floor) {
    this.domElement = document.createElement("canvas");
    this.pen = this.domElement.getContext("2d");
    Object.assign(this, { floor, ratio: 1, shadowMap: {}, info: { render: {} } });
  }

  setPixelRatio(ratio) {
    this.ratio = ratio;
  }

  setSize(width, height) {
    const { domElement: canvas, ratio } = this;
    [canvas.width, canvas.height] = [width * ratio, height * ratio].map(Math.round);
    Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  }

  render(scene, camera) {
    scene.updateMatrixWorld();
    camera.updateMatrixWorld();
    clip.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    this.eye = camera.position;
    this.pen.clearRect(0, 0, this.domElement.width, this.domElement.height);
    this.pen.lineJoin = "round";
    const faces = [], lines = [];
    this.shadow = new Path2D();
    scene.traverseVisible((object) => {
      if (object.userData.paint && object.material.visible) this.faces(object, faces);
      else if (object.isLine || object.isLine2) lines.push(object);
    });
    for (const line of lines) if (line.isLineSegments) this.line(line);
    this.pen.globalAlpha = 0.28;
    this.pen.fillStyle = "#6e7a88";
    this.pen.fill(this.shadow);
    faces.sort((p, q) => p.order - q.order || q.far - p.far);
    for (const face of faces) this.fill(face);
    for (const line of lines) if (!line.isLineSegments) this.line(line);
    this.pen.globalAlpha = 1;
    this.info.render = { calls: faces.length, triangles: faces.length };
  }

  /** Points of an array in the world, then on the canvas with their distance, six numbers each. */
  project(given, count, matrix) {
    const { width, height } = this.domElement, e = clip.elements;
    const out = new Float64Array(6 * count);
    for (let i = 0; i < count; i++) {
      point.fromArray(given, 3 * i).applyMatrix4(matrix);
      const { x, y, z } = point, w = e[3] * x + e[7] * y + e[11] * z + e[15];
      const k = 6 * i;
      [out[k], out[k + 1], out[k + 2], out[k + 5]] = [x, y, z, w];
      out[k + 3] = width * (0.5 + (0.5 * (e[0] * x + e[4] * y + e[8] * z + e[12])) / w);
      out[k + 4] = height * (0.5 - (0.5 * (e[1] * x + e[5] * y + e[9] * z + e[13])) / w);
    }
    return out;
  }

  faces(mesh, out) {
    const { index, attributes } = mesh.geometry, { paint } = mesh.userData;
    const { array, count } = attributes.position;
    const at = this.project(array, count, mesh.matrixWorld);
    const order = mesh.renderOrder, isSolid = paint.opacity === 1 && order < 5;
    for (let i = 0; i < index.count; i += 3) {
      const p = 6 * index.array[i], q = 6 * index.array[i + 1], r = 6 * index.array[i + 2];
      if (Math.min(at[p + 5], at[q + 5], at[r + 5]) < NEAR) continue;
      a.set(at[q] - at[p], at[q + 1] - at[p + 1], at[q + 2] - at[p + 2]);
      b.set(at[r] - at[p], at[r + 1] - at[p + 1], at[r + 2] - at[p + 2]);
      normal.crossVectors(a, b).normalize();
      if (isSolid && normal.dot(lamps.sun.value) > 0) this.fall(at, p, q, r);
      const area = (at[q + 3] - at[p + 3]) * (at[r + 4] - at[p + 4])
        - (at[r + 3] - at[p + 3]) * (at[q + 4] - at[p + 4]);
      if (area > -0.02) continue; // seen from behind, or too small
      out.push({ order, far: at[p + 5] + at[q + 5] + at[r + 5], colour: shaded(paint),
        opacity: paint.opacity, at, p, q, r });
    }
  }

  /** Add the shadow of a triangle on the floor. */
  fall(at, ...corners) {
    const { floor } = this, sun = lamps.sun.value, low = [];
    if (this.eye.z < floor) return;
    for (const k of corners) {
      const s = (at[k + 2] - floor) / sun.z;
      if (s < -NEAR) return;
      low.push(at[k] - s * sun.x, at[k + 1] - s * sun.y, floor);
    }
    const on = this.project(low, 3, STILL);
    if (Math.min(on[5], on[11], on[17]) < NEAR) return;
    this.shadow.moveTo(on[3], on[4]);
    this.shadow.lineTo(on[9], on[10]);
    this.shadow.lineTo(on[15], on[16]);
    this.shadow.closePath();
  }

  fill({ at, p, q, r, colour, opacity }) {
    const { pen } = this;
    pen.globalAlpha = opacity;
    pen.fillStyle = pen.strokeStyle = colour;
    pen.beginPath();
    pen.moveTo(at[p + 3], at[p + 4]);
    pen.lineTo(at[q + 3], at[q + 4]);
    pen.lineTo(at[r + 3], at[r + 4]);
    pen.closePath();
    pen.fill();
    if (opacity < 1) return;
    pen.lineWidth = 0.8; // closes the seams between neighbours
    pen.stroke();
  }

  line(object) {
    const { pen } = this, { geometry, material } = object, { attributes } = geometry;
    const pairs = attributes.instanceStart; // of a thick line: six numbers for each piece
    const array = pairs ? pairs.data.array : attributes.position.array;
    const count = array.length / 3, at = this.project(array, count, object.matrixWorld);
    const isPairs = pairs || object.isLineSegments, last = pairs ? 2 * geometry.instanceCount
      : Math.min(geometry.drawRange.count, count);
    const shade = material.vertexColors ? attributes.color.array : null;
    pen.strokeStyle = `#${(material.color ?? white).getHexString()}`;
    pen.lineWidth = this.ratio * (material.linewidth ?? 1);
    pen.globalAlpha = material.opacity;
    if (!shade) pen.beginPath();
    for (let i = 1; i < Math.min(last, count); i += isPairs ? 2 : 1) {
      const p = 6 * (i - 1), q = 6 * i;
      if (at[p + 5] < NEAR || at[q + 5] < NEAR) continue;
      if (shade) {
        pen.globalAlpha = material.opacity * 0.5 * (shade[4 * i - 1] + shade[4 * i + 3]);
        if (pen.globalAlpha < 0.02) continue;
        pen.beginPath();
      }
      pen.moveTo(at[p + 3], at[p + 4]);
      pen.lineTo(at[q + 3], at[q + 4]);
      if (shade) pen.stroke();
    }
    if (!shade) pen.stroke();
  }
}

const STILL = new THREE.Matrix4();

/** Colour of a face with the normal found last, in the light of sky and sun. */
function shaded(paint) {
  light.copy(lamps.ground.value).lerp(lamps.sky.value, 0.5 + 0.5 * normal.z);
  const lit = Math.max(normal.dot(lamps.sun.value), 0), { shine } = lamps;
  light.r += lit * shine.value.r;
  light.g += lit * shine.value.g;
  light.b += lit * shine.value.b;
  hue.copy(paint.tint).multiply(light).multiplyScalar(0.3183).add(paint.glow);
  return `#${hue.getHexString()}`;
}
