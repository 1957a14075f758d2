import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { serverJson } from "../scripts/server-json.ts";
import { packageRoot } from "../src/platform/package-root.ts";
import { CARD_DESCRIPTION } from "../src/surfaces/mcp/server-card.ts";
import { packProject } from "./support/checks/npm-package.ts";
import { officialViolations, SERVER_JSON_RULES, violations } from "./support/checks/registry-rules.ts";
import { CLIENTS } from "./support/mcp/clients.ts";
import { scratchFolder } from "./support/service/cli.ts";

// It is built, packed and started for it.
vi.setConfig({ testTimeout: 120_000 });

const execute = promisify(execFile);
const read = (file: string) => JSON.parse(readFileSync(join(packageRoot, file), "utf8"));
const [manifest, entry] = [read("package.json"), read("server.json")];

const packed = await packProject();
afterAll(() => packed.remove());
const main = join(packed.folder, "dist/src/main.js");
const inPackage = (path: string) => readFileSync(join(packed.folder, path), "utf8");

const AT_THE_ROOT = [
  "CHANGELOG.md",
  "CONTRIBUTING.md",
  "LICENSE",
  "README.md",
  "SECURITY.md",
  "package.json",
  "server.json",
];

test("the package holds the program, the licences of what is bundled in it, and every migration", () => {
  const files = packed.files.filter((path) => /^dist\/src\/.+\.js$/.test(path));
  for (const entry of ["main", "thread"]) expect(files).toContain(`dist/src/${entry}.js`);
  const imported = files.flatMap((path) =>
    [...inPackage(path).matchAll(/(?:from|import\(?)"\.\/([\w-]+\.js)"/g)].map(([, name]) => `dist/src/${name}`),
  );
  expect(imported.length).toBeGreaterThan(100);
  expect(imported.filter((path) => !files.includes(path))).toEqual([]);
  expect(files.filter((path) => !packed.files.includes(`${path}.map`))).toEqual([]);
  const licences = inPackage("dist/LICENSES.txt");
  for (const name of ["express", "undici", "zod", "@modelcontextprotocol/server"])
    expect(licences).toMatch(new RegExp(`^${name} \\d\\S+ \\(.+\\)\n\n.`, "m"));
  for (const bundle of ["page.js", "style.css"]) expect(packed.files).toContain(`dist/website/${bundle}`);
  for (const dialect of ["sqlite", "pg"])
    expect(packed.files.filter((path) => path.startsWith(`db/migrations/${dialect}/`)).length).toBeGreaterThan(1);
  for (const path of AT_THE_ROOT) expect(packed.files).toContain(path);
});

test("the package holds nothing else: no tests, no data, no files of an earlier build", () => {
  const SHIPPED =
    /^dist\/(src|website)\/[\w-]+\.js$|^dist\/src\/[\w-]+\.js\.map$|^dist\/LICENSES\.txt$|^dist\/client\/beckon\.(?:tgz|mjs)$|^dist\/website\/(style\.css|[\w-]+\.js\.br|pictures\/[\w-]+\.(webp|png|ico))$|^db\/migrations\/.+|^skills\/[\w-]+\/SKILL\.md$|^docs\/.+\.(md|svg|png|webp)$/;
  const others = packed.files.filter((path) => !SHIPPED.test(path) && !AT_THE_ROOT.includes(path));
  expect(others).toEqual([]);
  expect(packed.files).not.toContain("dist/src/gone.js");
});

test("everything that the README links to is in the package", () => {
  const links = [...readFileSync(join(packageRoot, "README.md"), "utf8").matchAll(/\]\((?!https?:)([^)#]+)/g)];
  expect(links.map(([, link]) => link!).filter((link) => !packed.files.includes(link))).toEqual([]);
  expect(links.length).toBeGreaterThan(10);
});

test("the command of the package runs, and prints its help", async () => {
  expect(manifest.bin).toEqual({ beckon: "./dist/src/main.js" });
  expect(readFileSync(main, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
  const { stdout } = await execute(process.execPath, [main, "--help"], { cwd: scratchFolder() });
  for (const command of ["serve", "mcp", "doctor"]) expect(stdout).toMatch(new RegExp(`^  ${command} +\\S`, "m"));
});

test("the packed service serves, and the packed MCP server forwards to it", async () => {
  const folder = scratchFolder();
  const env = { PATH: process.env.PATH!, DATABASE_URL: `file:${join(folder, "beckon.db")}`, PORT: "0" };
  const child = spawn(process.execPath, [main, "serve", "--json"], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  const [line] = await once(createInterface(child.stdout), "line");
  const { address, demo } = JSON.parse(line);
  expect(await (await fetch(`${address}/healthz`)).json()).toEqual({ status: "ok" });
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

  const stdio = { PATH: env.PATH, BECKON_URL: address, BECKON_API_KEY: demo.key };
  const connect = CLIENTS["client 2.4, 2026-07-28"]!;
  const client = await connect({ command: process.execPath, args: [main, "mcp"], env: stdio, cwd: folder });
  try {
    const account = await client.call("get_account");
    expect(account.structuredContent).toMatchObject({ object: "account", email: demo.email });
  } finally {
    await client.close();
  }
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("the manifest names the package and its Node version, and no repository that does not exist", () => {
  expect(manifest.engines.node).toBe(">=20.19");
  expect(manifest.keywords).toEqual(expect.arrayContaining(["mcp", "a2a", "seo"]));
  expect(manifest).not.toHaveProperty("repository");
  expect(manifest.private).toBeUndefined();
});

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
  expect(entry.version).toBe(manifest.version);
  expect(entry.packages).toMatchObject([{ identifier: client.name, version: manifest.version }]);
  expect(manifest.files).toContain("server.json");
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
