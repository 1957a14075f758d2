// The files for browsers in dist/website/: scripts and the style sheet, made by esbuild from src/surfaces/website/{browser,style}/,
// each script once more compressed, and the pictures.
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";

const root = fileURLToPath(new URL("..", import.meta.url));
const website = join(root, "src/surfaces/website");
const target = join(root, "dist/website");

/** Makes them all. Each file in browser/entries/ becomes a script. */
export function bundle() {
  // Loaded here: an installation without development dependencies runs from dist/ and has no esbuild.
  const { buildSync } = createRequire(import.meta.url)("esbuild");
  const entries = join(website, "browser/entries");
  const scripts = readdirSync(entries).map((name) => ({ in: join(entries, name), out: basename(name, ".ts") }));
  buildSync({
    entryPoints: [...scripts, { in: join(website, "style/index.css"), out: "style" }],
    outdir: target,
    bundle: true,
    minify: true,
    format: "esm",
    target: ["es2022", "chrome110", "firefox115", "safari16.4"],
    logLevel: "warning",
  });
  for (const { out } of scripts) {
    const file = join(target, `${out}.js`);
    writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
  }
  cpSync(join(website, "pictures"), join(target, "pictures"), { recursive: true });
}
