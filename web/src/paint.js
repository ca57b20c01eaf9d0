// What surfaces are painted with, in two ways: with care, and quickly where drawing is slow.
import * as THREE from "three";

// Light of the quick way: the same sky and sun, worked out at corners instead of at points.
export const lamps = { sky: { value: new THREE.Color() }, ground: { value: new THREE.Color() },
  shine: { value: new THREE.Color() }, sun: { value: new THREE.Vector3(0, 0, 1) } };

const vertex = `varying vec3 hue; uniform vec3 colour, glow, sky, ground, shine, sun;
  void main() {
    #ifdef USE_COLOR
    vec3 own = colour * color;
    #else
    vec3 own = colour;
    #endif
    vec3 n = normalize(normalMatrix * normal);
    float up = 0.5 + 0.5 * dot(n, (viewMatrix * vec4(0.0, 0.0, 1.0, 0.0)).xyz);
    float lit = max(dot(n, (viewMatrix * vec4(sun, 0.0)).xyz), 0.0);
    vec3 light = mix(ground, sky, up) + lit * shine;
    hue = pow(min(0.3183 * own * light + glow, 1.0), vec3(0.4545));
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`;
const fragment = `varying vec3 hue; uniform float opacity;
  void main() { gl_FragColor = vec4(hue, opacity); }`;

export class Paint {
  constructor(colour, { opacity = 1, light = 0, over = false, visible = true, vertexColors = false, ...more } = {}) {
    this.base = { transparent: opacity < 1 || over, depthTest: !over, depthWrite: opacity === 1,
      visible, vertexColors };
    this.more = { roughness: 0.5, metalness: 0.05, ...more };
    this.tint = new THREE.Color(colour);
    this.glow = new THREE.Color(colour).multiplyScalar(light);
    this.opacity = opacity;
  }

  /** Material for one of the two ways, made when it is first asked for. */
  of(careful) {
    const made = careful ? this.careful ??= this.makeCareful() : this.quick ??= this.makeQuick();
    return made;
  }

  makeCareful() {
    const made = new THREE.MeshStandardMaterial({ ...this.more, ...this.base });
    made.color = this.tint;
    made.emissive = this.glow;
    made.opacity = this.opacity;
    return made;
  }

  makeQuick() {
    this.alpha = { value: this.opacity };
    return new THREE.ShaderMaterial({ ...this.base, vertexShader: vertex, fragmentShader: fragment,
      uniforms: { ...lamps, colour: { value: this.tint }, glow: { value: this.glow },
        opacity: this.alpha } });
  }

  /** Change how it is seen: through others, or through itself. */
  set(change, opacity = this.opacity) {
    Object.assign(this.base, change);
    this.opacity = opacity;
    for (const made of [this.careful, this.quick].filter(Boolean)) {
      Object.assign(made, this.base);
      made.needsUpdate = true;
    }
    if (this.careful) this.careful.opacity = opacity;
    if (this.quick) this.alpha.value = opacity;
  }
}
