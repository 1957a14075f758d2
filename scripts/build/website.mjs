// The files for browsers: scripts and the style sheet, made by esbuild from src/surfaces/website/{browser,style}/,
// each script once more compressed, and the pictures.
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { buildSync } from "esbuild";
import { root } from "../setup/folders.mjs";

const website = join(root, "src/surfaces/website");

/** Makes them all in `dist`/website. Each file in browser/entries/ becomes a script. */
export function bundleWebsite(dist) {
  const target = join(dist, "website");
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
