// The files for browsers: dist/website/*.js and style.css, made by esbuild from src/surfaces/website/{browser,style}/.
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const website = join(root, "src/surfaces/website");

/** Bundles the style sheet and the scripts, of which each file in browser/entries/ becomes one. */
export function bundle() {
  // Loaded here: an installation without development dependencies runs from dist/ and has no esbuild.
  const { buildSync } = createRequire(import.meta.url)("esbuild");
  const entries = join(website, "browser/entries");
  const scripts = readdirSync(entries).map((name) => ({ in: join(entries, name), out: basename(name, ".ts") }));
  buildSync({
    entryPoints: [...scripts, { in: join(website, "style/index.css"), out: "style" }],
    outdir: join(root, "dist/website"),
    bundle: true,
    minify: true,
    format: "esm",
    target: ["es2022", "chrome110", "firefox115", "safari16.4"],
    logLevel: "warning",
  });
}
