import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test, vi } from "vitest";
import { packageRoot } from "../../src/platform/package-root.ts";
import { scratchFolder } from "../support/service/cli.ts";

// The compiler runs, and npm.
vi.setConfig({ testTimeout: 60_000 });

const PACKAGES = {
  "node_modules/typescript": { version: "7.0.0", dev: true },
  "node_modules/ran": { version: "1.0.0" },
  "node_modules/elsewhere": { version: "1.0.0", optional: true },
};

/** A small project with the scripts of this one, its compiler, and two packages that are written down as installed. */
function smallProject() {
  const folder = scratchFolder();
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const installed = (packages: object) => write("node_modules/.package-lock.json", JSON.stringify({ packages }));
  const scripts = [
    "prepare.mjs",
    "bundle.mjs",
    "bundle-server.mjs",
    "client-package.mjs",
    "tarball.mjs",
    "registry-notice.mjs",
    "beckon.mjs",
    "build.mjs",
  ];
  for (const path of scripts) cpSync(join(packageRoot, "scripts", path), join(folder, "scripts", path));
  const compilerOptions = { module: "nodenext", target: "es2023", types: [], noEmit: true };
  write("tsconfig.build.json", JSON.stringify({ compilerOptions, include: ["src"] }));
  write("package.json", JSON.stringify({ name: "small", type: "module", dependencies: { ran: "1.0.0" } }));
  write("package-lock.json", JSON.stringify({ lockfileVersion: 3, packages: { "": { version: "1" }, ...PACKAGES } }));
  const { "node_modules/elsewhere": _, ...here } = PACKAGES;
  installed(here);
  for (const name of ["typescript", "@typescript", "esbuild", "@esbuild"])
    symlinkSync(join(packageRoot, "node_modules", name), join(folder, "node_modules", name));
  write("src/main.ts", 'console.log("first");\n');
  write("src/process/bulk/thread.ts", "export {};\n");
  const client = { extends: "../../tsconfig.build.json", compilerOptions: { noEmit: false, rootDir: "src" } };
  write("packages/client/tsconfig.json", JSON.stringify({ ...client, include: ["src"] }));
  write("packages/client/package.json", JSON.stringify({ name: "small-client", version: "1.0.0", files: ["dist"] }));
  for (const name of ["README.md", "LICENSE"]) write(`packages/client/${name}`, name);
  write("packages/client/src/main.ts", "export {};\n");
  write("src/surfaces/website/browser/entries/page.ts", "export {};\n");
  write("src/surfaces/website/style/index.css", "");
  write("src/surfaces/website/pictures/a.webp", "");
  // Without a network, and with nothing kept from when there was one.
  const env = { PATH: process.env.PATH, npm_config_offline: "true", npm_config_cache: join(folder, "cache") };
  const node = (script: string) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, "scripts", script)], {
      env,
      encoding: "utf8",
    });
    return { status, out: stdout, err: stderr };
  };
  const prune = () => {
    installed({ "node_modules/ran": PACKAGES["node_modules/ran"] });
    rmSync(join(folder, "node_modules/typescript"));
  };
  return { folder, write, installed, prune, build: () => node("build.mjs"), beckon: () => node("beckon.mjs") };
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

test("what `npm run build` built runs without development dependencies, also as a copy with other file times", () => {
  const { folder, build, prune, beckon } = smallProject();
  expect(build()).toMatchObject({ status: 0, err: "" });
  prune();
  const later = new Date(Date.now() + 60_000);
  for (const path of ["src/main.ts", "src", "package.json", "package-lock.json"])
    utimesSync(join(folder, path), later, later);
  expect(beckon()).toEqual({ status: 0, out: "first\n", err: "" });
});

test("sources newer than the build are always compiled, and the compiler is installed if it is missing", () => {
  const { write, build, prune, beckon } = smallProject();
  build();
  prune();
  write("src/main.ts", 'console.log("second");\n');
  const { status, out, err } = beckon();
  expect([status, out]).toEqual([1, ""]);
  // There is no network in this test.
  expect(err).toMatch(/^beckon: installing dependencies/);
  expect(err).toMatch(/beckon: the dependencies could not be installed \(exit code 1\)\n$/);
});

test.each([
  ["is missing", {}],
  ["has another version", { "node_modules/ran": { version: "0.9.0" } }],
])("a package that the service needs and that %s is installed, whether built or not", (_, packages) => {
  const { build, installed, beckon } = smallProject();
  build();
  installed(packages);
  expect(beckon().err).toMatch(/^beckon: installing dependencies/);
});

test("after a failed build neither it nor the previous build is used", () => {
  const { folder, write, beckon } = smallProject();
  beckon();
  const made = readFileSync(join(folder, "dist/.built"), "utf8");
  write("src/main.ts", 'const text: string = 1;\nconsole.log("wrong");\n');
  const { status, out, err } = beckon();
  expect([status, out.includes("wrong\n")]).toEqual([1, false]);
  expect(err).toContain("error TS2322");
  expect(existsSync(join(folder, "dist/.built"))).toBe(false);
  write("src/main.ts", 'console.log("first");\n');
  expect(beckon()).toEqual({ status: 0, out: "first\n", err: SAID });
  expect(readFileSync(join(folder, "dist/.built"), "utf8")).toBe(made);
});
