// Draws the stage without a graphics card, in far less time than a driver that imitates one.
// What stands still is kept as long as the camera does, too.
import * as THREE from "three";
import { lamps } from "./paint.js";
import { EACH, Raster } from "./raster.js";

const SHADES = 4095;
/** Brightness on the screen, in 0 to 255, of light in 0 to SHADES. */
const bright = Uint8Array.from({ length: SHADES + 1 },
  (_, k) => Math.round(255 * (k / SHADES) ** 0.4545));
const WHITE = new THREE.Color("#ffffff"), NONE = new THREE.Color("#000000");

const view = new THREE.Matrix4(), clip = new THREE.Matrix4(), inverse = new THREE.Matrix4();
const fall = new THREE.Matrix4(), size = new THREE.Vector3(), axis = new THREE.Vector3();
const eye = new THREE.Vector3(), up = new THREE.Vector3(), sun = new THREE.Vector3();

/** Takes the place of a WebGLRenderer, as far as the stage uses it. */
export class SoftRenderer {
  constructor(floor) {
    this.domElement = document.createElement("canvas");
    this.pen = this.domElement.getContext("2d", { alpha: false, willReadFrequently: true });
    Object.assign(this, { floor, ratio: 1, shadowMap: {}, info: { render: {} }, isFresh: false,
      casts: true, shadow: 0.2, backdrop: ["#ffffff", "#dddddd"], seen: new THREE.Matrix4(),
      at: new Float64Array(0), cut: new Float64Array(4 * EACH), planes: new WeakMap() });
  }

  setPixelRatio(ratio) {
    this.ratio = ratio;
  }

  setSize(width, height) {
    const { domElement: canvas, ratio } = this;
    const [w, h] = [width * ratio, height * ratio].map((x) => Math.max(1, Math.round(x)));
    Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
    this.isFresh = false;
    if (this.front?.width === w && this.front.height === h) return;
    [canvas.width, canvas.height] = [w, h];
    this.back = new Raster(w, h);
    this.front = new Raster(w, h);
  }

  render(scene, camera) {
    scene.updateMatrixWorld();
    camera.updateMatrixWorld();
    view.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
    if (!view.equals(this.seen)) this.isFresh = false;
    this.seen.copy(view);
    this.eye = eye.setFromMatrixPosition(camera.matrixWorld).clone();
    this.near = camera.near;
    const things = sorted(scene), { front, back } = this;
    this.info.render = { calls: 1, triangles: 0 };
    const [from, to] = this.isFresh ? [front.first, front.last] : [0, front.height - 1];
    if (!this.isFresh) this.keep(things);
    front.rest();
    if (from <= to) front.copy(back, from, to);
    this.draw(front, things, false);
    const first = Math.min(from, front.first), last = Math.max(to, front.last);
    if (first <= last) this.pen.putImageData(front.image, 0, 0, 0, first, front.width, last - first + 1);
  }

  /** Draw what stands still, to be copied. */
  keep(things) {
    const { back } = this, { domElement: canvas, pen } = this;
    const across = canvas.width / 2, down = 0.35 * canvas.height; // as the sheet of styles has it
    const far = Math.SQRT2, paint = pen.createRadialGradient(0, 0, 0, 0, 0, 1);
    this.backdrop.forEach((colour, k) => paint.addColorStop(k, colour));
    pen.setTransform(far * across, 0, 0, far * (canvas.height - down), across, down);
    pen.fillStyle = paint;
    pen.fillRect(-9, -9, 18, 18);
    pen.setTransform(1, 0, 0, 1, 0, 0);
    back.image.data.set(pen.getImageData(0, 0, canvas.width, canvas.height).data);
    back.nears.fill(0);
    for (const line of things.rules) this.line(back, line, false);
    this.draw(back, things, true);
    this.isFresh = true;
  }

  draw(raster, { solids, lines, points, clear, over }, still) {
    const of = (list) => list.filter((own) => Boolean(own.userData.isStill) === still);
    if (this.casts && this.eye.z > this.floor) for (const own of of(solids)) this.cast(raster, own);
    for (const own of of(solids)) this.surface(raster, own, 1, true);
    for (const own of of(lines)) this.line(raster, own, true);
    for (const own of still ? [] : points) this.points(raster, own);
    for (const own of still ? [] : clear) this.surface(raster, own, own.userData.paint.opacity, true);
    for (const own of still ? [] : over)
      this.surface(raster, own, own.userData.paint?.opacity ?? 1, false);
  }

  /** Triangles of a mesh whose fronts are seen. */
  surface(raster, mesh, alpha, tests) {
    const { geometry, matrixWorld } = mesh, { attributes, index } = geometry;
    const normals = attributes.normal.array, triangles = index.array;
    clip.multiplyMatrices(view, matrixWorld);
    inverse.copy(matrixWorld).invert();
    const isNear = this.put(attributes.position.array, clip);
    this.shine(mesh, normals, attributes.color?.array);
    const { x, y, z } = axis.copy(this.eye).applyMatrix4(inverse), planes = this.faced(geometry);
    const { at } = this;
    let n = 0;
    for (let p = 0, i = 0; i < triangles.length; p += 4, i += 3) {
      if (planes[p] * x + planes[p + 1] * y + planes[p + 2] * z <= planes[p + 3]) continue;
      const a = EACH * triangles[i], b = EACH * triangles[i + 1], c = EACH * triangles[i + 2];
      if (isNear) this.clipped(a, b, c, (u, v, w) => raster.triangle(this.cut, u, v, w, alpha, tests));
      else raster.triangle(at, a, b, c, alpha, tests);
      n++;
    }
    this.info.render.triangles += n;
  }

  /** Shadow of a mesh on the floor: what of it the sun sees. */
  cast(raster, mesh) {
    const { geometry, matrixWorld } = mesh, { attributes, index } = geometry;
    const { x: sx, y: sy, z: sz } = lamps.sun.value, e = matrixWorld.elements;
    if (!mesh.castShadow || e[14] < this.floor) return;
    fall.set(1, 0, -sx / sz, (sx / sz) * this.floor, 0, 1, -sy / sz, (sy / sz) * this.floor,
      0, 0, 0, this.floor, 0, 0, 0, 1);
    clip.multiplyMatrices(view, fall).multiply(matrixWorld);
    inverse.copy(matrixWorld).invert();
    const isNear = this.put(attributes.position.array, clip), planes = this.faced(geometry);
    const { x, y, z } = direct(sun.copy(lamps.sun.value)), left = 1 - this.shadow, triangles = index.array;
    for (let p = 0, i = 0; i < triangles.length; p += 4, i += 3) {
      if (planes[p] * x + planes[p + 1] * y + planes[p + 2] * z <= 0) continue;
      const a = EACH * triangles[i], b = EACH * triangles[i + 1], c = EACH * triangles[i + 2];
      if (isNear) this.clipped(a, b, c, (u, v, w) => raster.shade(this.cut, u, v, w, left));
      else raster.shade(this.at, a, b, c, left);
    }
  }

  /** Put points on the canvas; returns whether some are not before the camera. */
  put(points, matrix) {
    const n = points.length / 3, e = matrix.elements, { near } = this;
    if (this.at.length < EACH * n) this.at = new Float64Array(2 * EACH * n);
    const { at } = this, across = 0.5 * this.front.width, down = 0.5 * this.front.height;
    let isNear = false;
    for (let i = 0, k = 0; i < points.length; i += 3, k += EACH) {
      const x = points[i], y = points[i + 1], z = points[i + 2];
      const w = e[3] * x + e[7] * y + e[11] * z + e[15], one = 1 / w;
      at[k + 6] = e[0] * x + e[4] * y + e[8] * z + e[12];
      at[k + 7] = e[1] * x + e[5] * y + e[9] * z + e[13];
      at[k + 8] = w;
      if (w < near) isNear = true;
      at[k] = across * (1 + at[k + 6] * one);
      at[k + 1] = down * (1 - at[k + 7] * one);
      at[k + 2] = one;
    }
    return isNear;
  }

  /** Colours of points in the light of sky and sun, as the quick way of WebGL has them. */
  shine(mesh, normals, own) {
    const { at } = this, { tint, glow } = mesh.userData.paint ?? { tint: WHITE, glow: NONE };
    for (let k = 0; k < 3; k++) size.setComponent(k, axis.setFromMatrixColumn(mesh.matrixWorld, k).length());
    direct(up.set(0, 0, 1));
    direct(sun.copy(lamps.sun.value));
    const isStretched = Math.max(...size.toArray().map((x) => Math.abs(x - 1))) > 1e-6;
    const [low, high, lit] = [lamps.ground, lamps.sky, lamps.shine].map(({ value }) =>
      [value.r * tint.r, value.g * tint.g, value.b * tint.b].map((x) => 0.3183 * SHADES * x));
    const base = low.map((x, c) => 0.5 * (x + high[c])), rise = high.map((x, c) => 0.5 * (x - low[c]));
    const more = [glow.r, glow.g, glow.b].map((x) => SHADES * x);
    for (let i = 0, k = 3; i < normals.length; i += 3, k += EACH) {
      const x = normals[i], y = normals[i + 1], z = normals[i + 2];
      const long = isStretched ? 1 / (Math.hypot(x / size.x, y / size.y, z / size.z) || 1) : 1;
      const above = long * (up.x * x + up.y * y + up.z * z);
      const facing = Math.max(0, long * (sun.x * x + sun.y * y + sun.z * z));
      for (let c = 0; c < 3; c++) {
        const light = (base[c] + rise[c] * above + lit[c] * facing) * (own ? own[i + c] : 1) + more[c];
        at[k + c] = bright[Math.min(SHADES, Math.max(0, light)) | 0];
      }
    }
  }

  /** Normals and distances of the triangles of a surface. */
  faced(geometry) {
    if (this.planes.has(geometry) && !geometry.userData.bends) return this.planes.get(geometry);
    const points = geometry.attributes.position.array, triangles = geometry.index.array;
    const planes = new Float64Array((4 * triangles.length) / 3);
    const [a, b, c] = [0, 1, 2].map(() => new THREE.Vector3());
    for (let i = 0, p = 0; i < triangles.length; i += 3, p += 4) {
      [a, b, c].forEach((v, k) => v.fromArray(points, 3 * triangles[i + k]));
      b.sub(a).cross(c.sub(a)).toArray(planes, p);
      planes[p + 3] = b.dot(a);
    }
    this.planes.set(geometry, planes);
    return planes;
  }

  /** Cut a polygon at the nearest distance that is seen, and hand on its triangles. */
  clipped(a, b, c, use) {
    const { at, cut, near } = this, all = [a, b, c];
    let n = 0;
    all.forEach((p, k) => {
      const q = all[(k + 1) % 3], isIn = at[p + 8] >= near;
      if (isIn) { for (let i = 0; i < EACH; i++) cut[EACH * n + i] = at[p + i]; n++; }
      if (isIn !== at[q + 8] >= near) { this.between(p, q, EACH * n); n++; }
    });
    for (let k = 2; k < n; k++) use(0, EACH * (k - 1), EACH * k);
  }

  /** Corner of the cut where the way from one to another reaches the nearest distance. */
  between(p, q, k) {
    const { at, cut, near, front } = this, s = (near - at[p + 8]) / (at[q + 8] - at[p + 8]);
    for (let i = 3; i < EACH; i++) cut[k + i] = at[p + i] + s * (at[q + i] - at[p + i]);
    cut[k] = 0.5 * front.width * (1 + cut[k + 6] / near);
    cut[k + 1] = 0.5 * front.height * (1 - cut[k + 7] / near);
    cut[k + 2] = 1 / near;
  }

  points(raster, { geometry: { attributes }, material, matrixWorld }) {
    const { position, color } = attributes, round = 0.5 * this.ratio * material.size;
    this.put(position.array, clip.multiplyMatrices(view, matrixWorld));
    for (let k = 0, i = 0; k < EACH * position.count; k += EACH, i += 3) {
      const { at } = this, [x, y] = [at[k], at[k + 1]].map(Math.round);
      if (at[k + 8] < this.near) continue;
      for (let c = 0; c < 3; c++) at[k + 3 + c] = bright[(SHADES * color.array[i + c]) | 0];
      for (let v = Math.max(0, y - round | 0); v < Math.min(raster.height, y + round + 1); v++)
        for (let u = Math.max(0, x - round | 0); u < Math.min(raster.width, x + round + 1); u++)
          if (Math.hypot(u - x, v - y) <= round) raster.dot(u, v, at[k + 2], at, k, 1, true);
    }
  }

  line(raster, object, tests) {
    const { geometry, material } = object, { attributes } = geometry;
    const pairs = attributes.instanceStart; // of a thick line: six numbers for each piece
    const points = pairs ? pairs.data.array : attributes.position.array, count = points.length / 3;
    this.put(points, clip.multiplyMatrices(view, object.matrixWorld));
    const isPairs = pairs || object.isLineSegments, last = pairs ? 2 * geometry.instanceCount
      : Math.min(geometry.drawRange.count, count);
    const shade = material.vertexColors ? attributes.color.array : null, { at, near } = this;
    const { r, g, b } = material.color ?? WHITE, wide = this.ratio * (material.linewidth ?? 1);
    const hue = [r, g, b].map((x) => bright[(SHADES * x) | 0]), fade = [material.opacity, material.opacity];
    for (let i = 1; i < Math.min(last, count); i += isPairs ? 2 : 1) {
      let p = EACH * (i - 1), q = EACH * i;
      if (at[p + 8] < near && at[q + 8] < near) continue;
      if (shade) [fade[0], fade[1]] = [shade[4 * i - 1], shade[4 * i + 3]].map((x) => material.opacity * x);
      if (Math.max(fade[0], fade[1]) < 0.02) continue;
      for (let c = 0; c < 3; c++) at[p + 3 + c] = at[q + 3 + c] = hue[c];
      if (at[p + 8] >= near && at[q + 8] >= near) raster.line(at, p, q, wide, fade, tests);
      else {
        const isIn = at[p + 8] >= near ? p : q;
        for (let k = 0; k < EACH; k++) this.cut[k] = at[isIn + k];
        this.between(p, q, EACH);
        raster.line(this.cut, 0, EACH, wide, fade, tests);
      }
    }
  }
}

/** A direction of the world, so that its product with a normal of a mesh is the cosine. */
function direct(v) {
  const { x, y, z } = v, e = inverse.elements;
  return v.set(e[0] * x + e[4] * y + e[8] * z, e[1] * x + e[5] * y + e[9] * z,
    e[2] * x + e[6] * y + e[10] * z);
}

/** What is to be drawn, in turn. */
function sorted(scene) {
  const found = { rules: [], solids: [], lines: [], points: [], clear: [], over: [] };
  scene.traverseVisible((object) => {
    const { paint } = object.userData;
    if (object.isLine || object.isLine2)
      (object.renderOrder < 0 ? found.rules : found.lines).push(object);
    else if (object.isPoints) found.points.push(object);
    else if (paint && !paint.base.visible) return;
    else if (object.renderOrder > 0) found.over.push(object);
    else if (paint) (paint.opacity < 1 ? found.clear : found.solids).push(object);
  });
  found.over.sort((p, q) => p.renderOrder - q.renderOrder);
  return found;
}
