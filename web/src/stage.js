// The stage: light, floor, camera. Everything of the machine stands in `world`, whose up is z.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { lamps } from "./paint.js";
import { SoftRenderer } from "./soft.js";

const themes = {
  light: { line: "#8a97a6", strong: 0.55, shade: 0.2, sky: "#ffffff", ground: "#c9d1da", sun: 2.6, fill: 2.5 },
  dark: { line: "#7f93a8", strong: 0.42, shade: 0.5, sky: "#dfe9f5", ground: "#4a5868", sun: 2.5, fill: 2.1 },
};
const ANGLE = 30; // of view, over the height

const gridVertex = `varying vec2 at; void main() { at = position.xy;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`;
const gridFragment = `varying vec2 at; uniform vec3 colour; uniform float cell, size, strong;
  uniform vec2 middle;
  float lines(vec2 u) { vec2 w = fwidth(u); vec2 d = abs(u - round(u)) / w;
    return (1.0 - min(min(d.x, d.y) / 1.1, 1.0)) * min(1.0, 0.35 / max(w.x, w.y)); }
  void main() { float fade = exp(-pow(length(at - middle) / (1.6 * size), 2.0));
    float line = max(0.6 * lines(at / cell), lines(at / (5.0 * cell)));
    gl_FragColor = vec4(colour, strong * line * fade); }`;

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Name of what draws. */
function maker(context) {
  const more = context.getExtension("WEBGL_debug_renderer_info");
  return String(context.getParameter(more ? more.UNMASKED_RENDERER_WEBGL : context.RENDERER));
}

const begin = () =>
  document.createElement("canvas").getContext("webgl2", { alpha: true, antialias: true });

function drawer(context) {
  const made = new THREE.WebGLRenderer({ canvas: context.canvas, context, alpha: true });
  Object.assign(made.shadowMap, { enabled: true, autoUpdate: false });
  return made;
}

/** The lines of the floor without a shader of their own: cheap where each point is dear. */
function ruled(middle, cell, size) {
  const places = [], colours = [], reach = 2.4 * size, pieces = 8;
  const near = (x) => cell * Math.round(x / cell);
  for (const along of ["x", "y"]) {
    const over = along === "x" ? "y" : "x", start = near(middle[over] - reach);
    for (let k = 0; start + k * cell <= middle[over] + reach; k++) {
      const at = start + k * cell, isMain = Math.round(at / cell) % 5 === 0;
      for (let i = 0; i < 2 * pieces; i++) {
        const s = middle[along] + reach * (((i + 1) >> 1) * 2 / pieces - 1);
        const [x, y] = along === "x" ? [s, at] : [at, s];
        const away = Math.hypot(x - middle.x, y - middle.y) / (1.6 * size);
        places.push(x, y, 0);
        colours.push(1, 1, 1, (isMain ? 1 : 0.6) * Math.exp(-away * away));
      }
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(places, 3));
  geometry.setAttribute("color", new THREE.Float32BufferAttribute(colours, 4));
  return new THREE.LineSegments(geometry, new THREE.LineBasicMaterial({
    vertexColors: true, transparent: true, depthWrite: false }));
}

/** Corners around a place. */
function ball({ place: { x, y, z }, distance: d }) {
  return [-d, d].flatMap((a) => [-d, d].flatMap((b) => [-d, d].map((c) => [x + a, y + b, z + c])));
}

export class Stage {
  constructor(place, data, fine) {
    this.data = data;
    this.place = place;
    this.surface = place.appendChild(document.createElement("div"));
    Object.assign(this.surface, { className: "scene", tabIndex: 0, ariaLabel: "three-dimensional view" });
    this.open(fine);
    this.scene = new THREE.Scene();
    this.world = new THREE.Group();
    this.world.quaternion.set(...data.turn);
    this.world.updateMatrixWorld();
    this.scene.add(this.world);
    this.camera = new THREE.PerspectiveCamera(ANGLE, 1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.surface);
    this.controls.zoomToCursor = true;
    this.controls.addEventListener("change", () => { this.turned = this.changed = true; });
    this.box = new THREE.Box3(
      new THREE.Vector3(...data.box[0]), new THREE.Vector3(...data.box[1]));
    this.size = this.box.getSize(new THREE.Vector3()).length() || 1;
    this.changed = true;
    this.light();
    this.floor();
    this.watch(place);
  }

  /** Learn what can draw; a driver that only imitates a graphics card is left to careful steps. */
  open(fine) {
    const context = begin();
    this.isFlat = !context;
    this.isSlow = this.isFlat || SOFTWARE.test(maker(context));
    if (this.isSlow) this.soft = new SoftRenderer(this.data.floor);
    if (!this.isSlow || (fine && !this.isFlat)) this.card = drawer(context);
    else context?.getExtension("WEBGL_lose_context")?.loseContext();
    this.take(this.isSlow && !this.card ? this.soft : this.card);
  }

  /** Draw with one of the two. */
  take(renderer) {
    this.renderer = renderer;
    this.isSmooth = renderer !== this.soft && renderer.getContextAttributes().antialias;
    if (this.canvas !== this.surface.firstChild) this.surface.replaceChildren(this.canvas);
  }

  get canvas() {
    return this.renderer.domElement;
  }

  light() {
    this.fill = new THREE.HemisphereLight();
    this.sun = new THREE.DirectionalLight("#fff8ee");
    const shadow = this.sun.shadow, r = 0.62 * Math.max(this.data.size, 1e-6);
    this.reach = Math.min(r, 2.5 * this.data.machine);
    Object.assign(shadow.camera, { left: -this.reach, right: this.reach, top: this.reach,
      bottom: -this.reach, near: 0.1 * this.reach, far: 8 * this.reach });
    shadow.bias = -0.0004;
    shadow.normalBias = 0.003 * this.reach;
    shadow.radius = 3;
    this.scene.add(this.fill, this.sun, this.sun.target);
    this.shineOn(this.box.getCenter(new THREE.Vector3()));
  }

  /** Let the sun, and with it the shadows, follow a point. */
  shineOn(point) {
    this.sun.target.position.copy(point);
    lamps.sun.value.set(0.34, -0.42, 0.84);
    this.sun.position.copy(lamps.sun.value).multiplyScalar(4 * this.reach).add(point);
  }

  floor() {
    const { floor, grid, size } = this.data, middle = this.box.getCenter(new THREE.Vector3());
    const wide = new THREE.CircleGeometry(2.9 * size, 48); // beyond, lines have faded
    wide.translate(middle.x, middle.y, 0);
    this.lines = new THREE.Mesh(wide, new THREE.ShaderMaterial({
      vertexShader: gridVertex, fragmentShader: gridFragment, transparent: true,
      depthWrite: false, side: THREE.DoubleSide,
      uniforms: { colour: { value: new THREE.Color() }, cell: { value: grid },
        size: { value: 0.75 * size }, strong: { value: 1 },
        middle: { value: new THREE.Vector2(middle.x, middle.y) } },
    }));
    this.shade = new THREE.Mesh(wide, new THREE.ShadowMaterial({ depthWrite: false }));
    this.shade.receiveShadow = true;
    this.rules = ruled(middle, grid, 0.75 * size);
    this.lines.position.z = this.shade.position.z = this.rules.position.z = floor;
    this.lines.renderOrder = this.rules.renderOrder = -2;
    this.shade.renderOrder = -1;
    this.scene.add(this.lines, this.shade, this.rules);
  }

  theme(name) {
    const own = themes[name];
    this.lines.material.uniforms.colour.value.set(own.line);
    this.lines.material.uniforms.strong.value = own.strong;
    this.rules.material.color.set(own.line);
    this.strong = this.rules.material.opacity = own.strong;
    this.shade.material.opacity = own.shade;
    this.fill.color.set(own.sky);
    this.fill.groundColor.set(own.ground);
    this.fill.intensity = own.fill;
    this.sun.intensity = own.sun;
    lamps.sky.value.copy(this.fill.color).multiplyScalar(own.fill);
    lamps.ground.value.copy(this.fill.groundColor).multiplyScalar(own.fill);
    lamps.shine.value.copy(this.sun.color).multiplyScalar(own.sun);
    const colour = (key) => getComputedStyle(this.place).getPropertyValue(key).trim();
    if (this.soft)
      Object.assign(this.soft, { shadow: own.shade, backdrop: [colour("--glow"), colour("--far")] });
    this.changed = true;
  }

  watch(place) {
    const fit = () => {
      const width = place.clientWidth, height = place.clientHeight;
      if (!width || !height || !this.step) return;
      const { pixels } = this.step, own = window.devicePixelRatio || 1;
      const fine = this.isSmooth ? own : Math.max(own, 2);
      this.renderer.setPixelRatio(pixels < 1 ? pixels : Math.min(fine, pixels));
      this.renderer.setSize(width, height);
      this.camera.aspect = width / height;
      this.camera.updateProjectionMatrix();
      if (!this.touched) this.look(...this.view);
      this.changed = true;
    };
    this.view = this.data.view;
    this.fit = fit;
    this.controls.addEventListener("start", () => { this.touched = true; });
    new ResizeObserver(fit).observe(place);
  }

  /** Look from a height above the horizon and a direction about z [deg], all in sight.
   *  With a place, only what is within a distance of it. */
  look(height, round, near = this.near) {
    this.view = [height, round];
    this.near = near;
    this.touched = false;
    const up = (Math.PI * Math.min(height, 89.9)) / 180, turn = (Math.PI * round) / 180;
    const back = new THREE.Vector3(
      Math.cos(up) * Math.cos(turn), Math.cos(up) * Math.sin(turn), Math.sin(up));
    const right = new THREE.Vector3(-Math.sin(turn), Math.cos(turn), 0);
    const above = back.clone().cross(right);
    const tan = 0.86 * Math.tan((Math.PI * ANGLE) / 360), wide = tan * this.camera.aspect;
    const reach = [[right, wide], [above, tan]].map(([axis, slope]) => {
      const ends = [-Infinity, -Infinity];
      for (const numbers of near ? ball(near) : this.data.outline) {
        const corner = new THREE.Vector3(...numbers);
        const x = corner.dot(axis) / slope, z = corner.dot(back);
        ends[0] = Math.max(ends[0], z + x);
        ends[1] = Math.max(ends[1], z - x);
      }
      return { middle: (slope * (ends[0] - ends[1])) / 2, distance: (ends[0] + ends[1]) / 2 };
    });
    const distance = Math.max(reach[0].distance, reach[1].distance);
    const eye = right.multiplyScalar(reach[0].middle)
      .add(above.multiplyScalar(reach[1].middle)).addScaledVector(back, distance);
    const centre = near?.place ?? this.box.getCenter(new THREE.Vector3());
    const depth = distance - centre.dot(back);
    this.camera.position.copy(eye);
    this.controls.target.copy(eye).addScaledVector(back, -depth);
    this.controls.minDistance = 0.01 * this.size;
    this.controls.maxDistance = 20 * this.size;
    this.camera.near = 0.01 * depth;
    this.camera.far = depth + 14 * this.size;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.changed = true;
  }

  /** Draw with the care of a step. */
  care(step) {
    this.step = step;
    const { shadow } = this.sun, isSoft = this.isSlow && (!step.careful || this.isFlat);
    if (!isSoft) this.card ??= drawer(begin());
    this.take(isSoft ? this.soft : this.card);
    if (isSoft) this.soft.casts = step.casts;
    this.sun.castShadow = this.shade.visible = step.shadow > 0;
    this.lines.visible = step.careful && !isSoft;
    this.rules.visible = !this.lines.visible;
    const thin = !isSoft && step.pixels > 1; // there lines are one wide
    this.rules.material.opacity = this.strong * (thin ? 1.6 : 1);
    if (step.shadow && shadow.mapSize.x !== step.shadow) {
      shadow.mapSize.set(step.shadow, step.shadow);
      shadow.map?.dispose();
      shadow.map = null;
    }
    this.moved = true;
    this.fit();
  }

  render() {
    this.renderer.shadowMap.needsUpdate = this.moved; // turning the view leaves them as they are
    if (this.isOther && this.soft) this.soft.isFresh = false;
    this.renderer.render(this.scene, this.camera);
    this.isOther = false;
    this.changed = this.moved = this.turned = false;
  }

  /** Whether the picture is no longer true; then a frame is asked for. */
  set changed(on) {
    this.isChanged = this.isOther = on; // even what does not move may look otherwise
    if (on) this.wake?.();
  }

  /** Let bodies be seen where they are now. */
  move() {
    this.moved = this.isChanged = true;
    this.wake?.();
  }

  get changed() {
    return this.isChanged;
  }
}
