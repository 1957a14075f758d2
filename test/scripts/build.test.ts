import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test, vi } from "vitest";
import { packageRoot } from "../../src/platform/package-root.ts";
import { scratchFolder } from "../support/service/cli.ts";

// The bundler runs.
vi.setConfig({ testTimeout: 60_000 });

/** A small project with the scripts of this one and its bundler. Its packages are written down as installed. */
function smallProject() {
  const folder = scratchFolder();
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const path of ["setup", "build", "beckon.mjs", "build.mjs"])
    cpSync(join(packageRoot, "scripts", path), join(folder, "scripts", path), { recursive: true });
  write("package.json", JSON.stringify({ name: "small", type: "module" }));
  write("package-lock.json", JSON.stringify({ lockfileVersion: 3, packages: { "": { name: "small" } } }));
  for (const name of ["esbuild", "@esbuild", "oxc-transform", "@oxc-transform"]) {
    mkdirSync(join(folder, "node_modules"), { recursive: true });
    symlinkSync(join(packageRoot, "node_modules", name), join(folder, "node_modules", name));
  }
  write("src/main.ts", 'console.log("first");\n');
  write("src/process/bulk/thread.ts", "export {};\n");
  write("packages/client/package.json", JSON.stringify({ name: "small-client", version: "1.0.0", files: ["dist"] }));
  for (const name of ["README.md", "LICENSE"]) write(`packages/client/${name}`, name);
  for (const name of ["main.ts", "cli/list-reader.ts", "cli/nearest.ts"])
    write(`packages/client/src/${name}`, "export {};\n");
  write("src/surfaces/website/browser/entries/page.ts", "export {};\n");
  write("src/surfaces/website/style/index.css", "");
  write("src/surfaces/website/pictures/a.webp", "");
  const node = (script: string) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, "scripts", script)], {
      env: { PATH: process.env.PATH },
      encoding: "utf8",
    });
    return { status, out: stdout, err: stderr };
  };
  return { folder, write, build: () => node("build.mjs"), beckon: () => node("beckon.mjs") };
}

const SAID = "beckon: building …\n";

test("the command builds once, and again after a source has changed", () => {
  const { write, beckon } = smallProject();
  expect(beckon()).toEqual({ status: 0, out: "first\n", err: SAID });
  expect(beckon()).toEqual({ status: 0, out: "first\n", err: "" });
  write("src/main.ts", 'console.log("second");\n');
  expect(beckon()).toEqual({ status: 0, out: "second\n", err: SAID });
  write("src/other.ts", "export {};\n");
  expect(beckon()).toEqual({ status: 0, out: "second\n", err: SAID });
});

test("what is built runs without the bundler, also as a copy with other file times", () => {
  const { folder, build, beckon } = smallProject();
  expect(build()).toMatchObject({ status: 0, err: SAID });
  rmSync(join(folder, "node_modules"), { recursive: true });
  const later = new Date(Date.now() + 60_000);
  for (const path of ["src/main.ts", "src", "package.json", "package-lock.json"])
    utimesSync(join(folder, path), later, later);
  expect(beckon()).toEqual({ status: 0, out: "first\n", err: "" });
});

test("exit 1: a source that is wrong is named; the build of before stays, and is not run", () => {
  const { folder, write, beckon } = smallProject();
  beckon();
  const made = () => readFileSync(join(folder, "dist/.built"), "utf8");
  const before = made();
  write("src/main.ts", 'const = 1;\nconsole.log("wrong");\n');
  const { status, out, err } = beckon();
  expect([status, out]).toEqual([1, ""]);
  expect(err).toMatch(/src\/main\.ts:1:6: ERROR/);
  expect(err).not.toContain("    at ");
  expect(made()).toBe(before);
  write("src/main.ts", 'console.log("first");\n');
  expect(beckon()).toEqual({ status: 0, out: "first\n", err: "" });
});

test("exit 1: an exported type of the client that would have to be inferred is named", () => {
  const { write, build } = smallProject();
  write("packages/client/src/index.ts", "export const twice = (n: number) => n * Math.random();\n");
  const { status, err } = build();
  expect(status).toBe(1);
  expect(err).toMatch(/beckon: the build failed: packages\/client\/src\/index\.ts: TS9\d+/);
});

test("law: a build that is killed leaves nothing that the next one trips over", async () => {
  const { folder, beckon } = smallProject();
  const child = spawn(process.execPath, [join(folder, "scripts/build.mjs")], { stdio: "ignore" });
  const making = join(folder, ".cache/making");
  const begun = () => existsSync(making) && readdirSync(making).some((name) => existsSync(join(making, name, "dist")));
  await vi.waitFor(() => expect(begun()).toBe(true), { timeout: 30_000, interval: 1 });
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(existsSync(join(folder, "dist"))).toBe(false);
  expect(beckon()).toEqual({ status: 0, out: "first\n", err: SAID });
  expect(readdirSync(making)).toEqual([]);
});

test("law: two builds at once leave a whole one", async () => {
  const { folder, beckon } = smallProject();
  const builds = [1, 2, 3].map(() => spawn(process.execPath, [join(folder, "scripts/build.mjs")], { stdio: "ignore" }));
  expect(await Promise.all(builds.map((child) => once(child, "exit")))).toEqual(Array(3).fill([0, null]));
  expect(beckon()).toEqual({ status: 0, out: "first\n", err: "" });
});
