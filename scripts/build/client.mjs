// The client package as callers install it from a service: client/beckon.tgz of dist/, and its command line as one file, for
// what carries it along.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildSync } from "esbuild";
import { transformSync } from "oxc-transform";
import { root } from "../setup/folders.mjs";
import { licencesOf } from "./server.mjs";
import { tarballOf } from "./tarball.mjs";

const client = join(root, "packages/client");

/** The modules that are bundled, because the service has what they export. */
const BUNDLED = ["cli/list-reader.ts", "cli/nearest.ts"];

/** Makes both in `dist`/client. */
export function packClient(dist) {
  const target = join(dist, "client");
  const made = join(target, "package");
  mkdirSync(made, { recursive: true });
  writeModules(join(made, "dist"));
  // Whoever installs it builds nothing.
  const { scripts: _, ...manifest } = JSON.parse(readFileSync(join(client, "package.json"), "utf8"));
  writeFileSync(join(made, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const name of ["LICENSE", "README.md"]) copyFileSync(join(client, name), join(made, name));
  writeFileSync(join(target, "beckon.tgz"), tarballOf(made));
  rmSync(made, { recursive: true });
  bundleCommandLine(join(target, "beckon.mjs"));
}

/**
 * Writes each module of the client as JavaScript, with its types next to it. They are not bundled, so that bundlers of its users
 * leave out what they do not use, but for the two that only its command line uses. The types are the ones that the source
 * declares (TypeScript's isolatedDeclarations), so that no compiler has to infer them.
 * @param target a folder that may be missing
 */
export function writeModules(target) {
  const source = join(client, "src");
  const modules = readdirSync(source, { recursive: true, encoding: "utf8" })
    .map((name) => name.replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".ts") && !BUNDLED.includes(name));
  for (const name of modules.sort()) {
    const { code, declaration, errors } = transformSync(name, readFileSync(join(source, name), "utf8"), {
      typescript: { rewriteImportExtensions: "rewrite", declaration: {} },
    });
    if (errors.length > 0)
      throw new Error(`packages/client/src/${name}: ${errors.map(({ message }) => message).join("; ")}`);
    const path = join(target, name.slice(0, -".ts".length));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.js`, code);
    writeFileSync(`${path}.d.ts`, declaration.replace(/((?:from|import\() ?"\.[^"]*)\.ts"/g, '$1.js"'));
  }
  const { metafile } = buildSync({
    ...{ absWorkingDir: root, metafile: true },
    ...{ entryPoints: BUNDLED.map((name) => join(source, name)), outdir: target, outbase: source },
    ...{ bundle: true, minify: true, format: "esm", platform: "browser", target: "node20", logLevel: "warning" },
  });
  writeFileSync(join(target, "LICENSES.txt"), licencesOf(Object.keys(metafile.inputs)));
}

function bundleCommandLine(outfile) {
  buildSync({
    entryPoints: [join(client, "src/main.ts")],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    // The small form of packages that have one.
    mainFields: ["browser", "module", "main"],
    target: "node20",
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: "warning",
  });
}
