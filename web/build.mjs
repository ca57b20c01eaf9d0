// Bundles src/ with its libraries into the one script that ships with the Python package.
// The first line of the result holds a hash of the sources; a test compares it.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const out = "../src/jourdain/viz/assets/viewer.min.js";
const sources = ["build.mjs", "package.json", ...readdirSync("src").sort().map((f) => `src/${f}`)];
const digest = createHash("sha256");
for (const file of sources) digest.update(`${file}\n${readFileSync(file, "utf8")}`);

const licences = ["three", "fflate"]
  .map((name) => `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()}`)
  .join("\n\n");
const result = await build({
  entryPoints: ["src/main.js"],
  bundle: true,
  minify: true,
  format: "iife",
  globalName: "JourdainViewer",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  loader: { ".css": "text" },
  write: false,
});
const head = `// source ${digest.digest("hex")}\n/*\nContains:\n\n${licences}\n*/\n`;
const text = head + result.outputFiles[0].text.trimEnd() + "\n";
if (/<\/script|<!--/i.test(text)) throw Error("the bundle could end the script that holds it");
writeFileSync(out, text);
console.log(`${out}: ${Math.round(text.length / 1024)} KiB`);
