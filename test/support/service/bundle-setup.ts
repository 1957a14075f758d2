import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { packageRoot } from "../../../src/platform/package-root.ts";

/** Names of the bundles, by which tests start them, and what they begin with. */
const ENTRIES = {
  main: "src/main.ts",
  // Looked for in the folder of the bundle that starts it.
  thread: "src/process/bulk/thread.ts",
  "platform/config/config": "src/platform/config/config.ts",
  "process/scheduler/recurring": "src/process/scheduler/recurring.ts",
  "process/log": "src/process/log.ts",
  "process/service": "src/process/service.ts",
  client: "packages/client/src/main.ts",
  devnet: "scripts/devnet.ts",
  "demo-agent": "scripts/demo-agent.ts",
  "spending-process": "test/support/spending/spending-process.ts",
};

/** Packages with programs of their own, one that looks for another by itself, and one whose modules differ for bundlers. */
export const EXTERNAL = ["@node-rs/argon2", "better-sqlite3", "pg", "@zxcvbn-ts/language-common"];

/** What packages that are no ES modules need in a bundle that is one. */
export const REQUIRE =
  'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);';

/** What is compiled once is read by the next process that starts the same bundle. */
const keptCompiledIn = (folder: string) =>
  `import { enableCompileCache } from "node:module"; enableCompileCache(${JSON.stringify(folder)});`;

/**
 * Bundles the service with its packages, for the tests that start it as a process of its own, hundreds of times: a few files
 * are loaded sooner than all their modules. `test/package.test.ts` starts what is published.
 */
export async function setup(): Promise<void> {
  // Each project of a run has this setup; its tests inherit the environment.
  if (process.env.TEST_BUNDLE) return;
  const folder = join(packageRoot, "node_modules/.cache/test-bundle");
  const { outputFiles } = await build({
    absWorkingDir: packageRoot,
    entryPoints: ENTRIES,
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    external: EXTERNAL,
    banner: { js: REQUIRE + keptCompiledIn(join(folder, "compiled")) },
    logLevel: "error",
    write: false,
  });
  for (const { path, contents } of outputFiles) {
    if (existsSync(path) && readFileSync(path).equals(contents)) continue;
    mkdirSync(dirname(path), { recursive: true });
    // Another run of the tests may be starting the same bundle now, and has to find each file whole.
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, contents);
    renameSync(draft, path);
  }
  process.env.TEST_BUNDLE = folder;
}
