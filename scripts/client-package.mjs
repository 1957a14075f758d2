// The client package as callers install it from a service: dist/client/beckon.tgz, and its command line as one file, for what
// carries it along. Made by `npm run build`, so that a service has them wherever it was built.
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { tarballOf } from "./tarball.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const client = join(root, "packages/client");
const target = join(root, "dist/client");

/** What it is made from. */
export const CLIENT_SOURCES = [
  ...["scripts/client-package.mjs", "scripts/tarball.mjs"],
  ...["src", "package.json", "tsconfig.json", "README.md", "LICENSE"].map((name) => `packages/client/${name}`),
];

/** Holds the digest of the sources that it was made from. */
const MARK = join(target, ".built");

/**
 * Makes both, unless they were made from these sources. Files are put in place when they are whole: another process may be
 * serving them.
 * @param run runs a program in the folder of the project, and does not return where it fails
 */
export function packClient(run) {
  const sources = digest();
  if (existsSync(MARK) && readFileSync(MARK, "utf8") === sources) return;
  mkdirSync(target, { recursive: true });
  const folder = mkdtempSync(join(target, ".making-"));
  const compiler = join(root, "node_modules/tsc/bin/tsc");
  const types = ["-p", "packages/client/tsconfig.json", "--outDir", join(folder, "package/dist")];
  run(process.execPath, [compiler, ...types], "the client could not be built");
  // Whoever installs it builds nothing.
  const { scripts: _, ...manifest } = JSON.parse(readFileSync(join(client, "package.json"), "utf8"));
  writeFileSync(join(folder, "package/package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const name of ["LICENSE", "README.md"]) copyFileSync(join(client, name), join(folder, "package", name));
  writeFileSync(join(folder, "beckon.tgz"), tarballOf(join(folder, "package")));
  bundleCommandLine(join(folder, "beckon.mjs"));
  for (const name of ["beckon.mjs", "beckon.tgz"]) renameSync(join(folder, name), join(target, name));
  rmSync(folder, { recursive: true });
  writeFileSync(MARK, sources);
}

function bundleCommandLine(outfile) {
  // Loaded here: an installation without development dependencies runs from dist/ and has no esbuild.
  const { buildSync } = createRequire(import.meta.url)("esbuild");
  buildSync({
    entryPoints: [join(client, "src/main.ts")],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: "warning",
  });
}

function digest() {
  const hash = createHash("sha256");
  const add = (path) => hash.update(`${path}\0`).update(readFileSync(join(root, path)));
  for (const path of CLIENT_SOURCES.filter((one) => !one.endsWith("/src"))) add(path);
  const modules = readdirSync(join(client, "src"), { recursive: true, encoding: "utf8" });
  for (const name of modules.filter((one) => one.endsWith(".ts")).sort()) add(`packages/client/src/${name}`);
  return hash.digest("hex");
}
