// The program, made by esbuild from src/main.ts and the thread for large calls, together with the packages that they
// use: thousands of modules that are found and read one by one take seconds. What is imported by `await import()` becomes a
// file of its own, which is read when it is needed.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildSync } from "esbuild";
import { root } from "../setup/folders.mjs";

/** The thread is in the folder of the file that starts it, which looks for it there. */
const ENTRIES = { main: "src/main.ts", thread: "src/process/bulk/thread.ts" };

/** Packages with native code, or with files of their own; they are loaded from node_modules. */
export const OUTSIDE = ["better-sqlite3", "@node-rs/argon2", "@zxcvbn-ts/language-common", "pg-native"];

/** Packages in CommonJS call `require` for what Node has built in. */
const REQUIRE = `import { createRequire } from "node:module";const require = createRequire(import.meta.url);`;

/** Makes the program in `dist`/src. Names are kept, and source maps written, so that stack traces can be read. */
export function bundleServer(dist) {
  const { metafile } = buildSync({
    absWorkingDir: root,
    entryPoints: ENTRIES,
    outdir: join(dist, "src"),
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22",
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: "external",
    sourcesContent: false,
    legalComments: "none",
    banner: { js: REQUIRE },
    external: OUTSIDE,
    metafile: true,
    logLevel: "warning",
  });
  const made = join(dist, "src");
  for (const name of readdirSync(made).filter((one) => one.endsWith(".map"))) compressMap(join(made, name));
  writeFileSync(join(dist, "LICENSES.txt"), licencesOf(Object.keys(metafile.inputs)));
}

/** Compresses the source maps: they are large, and only errors read them. */
function compressMap(file) {
  writeFileSync(`${file}.gz`, gzipSync(readFileSync(file)));
  rmSync(file);
}

/** The licences of the packages whose code the program contains, each with the package's name and version. */
export function licencesOf(inputs) {
  const folders = new Set(inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []));
  return [...folders]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
      const texts = readdirSync(join(root, folder)).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
      const text = texts.map((file) => readFileSync(join(root, folder, file), "utf8").trim()).join("\n\n");
      return `${name} ${version} (${license})\n\n${text}\n`;
    })
    .join(`\n${"-".repeat(80)}\n\n`);
}
