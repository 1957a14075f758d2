import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { packageRoot } from "../../../src/platform/package-root.ts";
import { npmRegistry } from "../../support/network/npm-registry.ts";
import { scratchFolder } from "../../support/service/cli.ts";

// npm runs.
vi.setConfig({ testTimeout: 60_000 });

const PLATFORM = { os: [process.platform], cpu: [process.arch] };

/** Installs: with "tests" also the packages of the tests, with "own" those of a folder. The second argument of "patience" is in ms. */
const PROGRAM = `const load = (name) => import(new URL("setup/" + name, import.meta.url));
const [{ install, installOwn }, { npmCi }, { orExplain }] = await Promise.all(["install.mjs", "npm.mjs", "say.mjs"].map(load));
const [kind, value] = process.argv.slice(2);
if (kind === "patience") await orExplain(npmCi(process.cwd(), "the packages", { patienceMs: Number(value) }));
else if (kind === "own") await orExplain(installOwn(value));
else await orExplain(install({ tests: kind === "tests" }));
console.log("went on");
`;

/** A project with the scripts of this one. It is in a folder with a space and an umlaut. */
function project(registry: string) {
  const scratch = scratchFolder();
  const folder = join(scratch, "my prüject");
  cpSync(join(packageRoot, "scripts/setup"), join(folder, "scripts/setup"), { recursive: true });
  writeFileSync(join(folder, "scripts/program.mjs"), PROGRAM);
  const home = join(scratch, "home");
  const env = {
    PATH: process.env.PATH!,
    HOME: home,
    npm_config_registry: registry,
    npm_config_update_notifier: "false",
  };
  const start = (args: readonly string[] = [], more: Readonly<Record<string, string>> = {}) => {
    const script = join(folder, "scripts/program.mjs");
    const child = spawn(process.execPath, [script, ...args], { cwd: folder, env: { ...env, ...more }, detached: true });
    onTestFinished(() => stop(child));
    const seen = { out: "", err: "" };
    child.stdout.on("data", (data) => {
      seen.out += data;
    });
    child.stderr.on("data", (data) => {
      seen.err += data;
    });
    return { child, seen, ended: once(child, "close").then(([code]) => ({ code, ...seen })) };
  };
  return {
    folder,
    start,
    run: (...given: Parameters<typeof start>) => start(...given).ended,
    /** Writes what is to be installed. */
    lock(packages: Readonly<Record<string, object>>, at = folder) {
      mkdirSync(at, { recursive: true });
      const names = (isWanted: (one: { dev?: boolean; optional?: boolean }) => boolean) =>
        Object.fromEntries(
          Object.entries(packages as Record<string, { version: string; dev?: boolean; optional?: boolean }>)
            .filter(([, one]) => isWanted(one))
            .map(([name, { version }]) => [name, version]),
        );
      const manifest = {
        name: "small",
        version: "1.0.0",
        dependencies: names(({ dev, optional }) => !dev && !optional),
        devDependencies: names(({ dev }) => dev === true),
        optionalDependencies: names(({ optional }) => optional === true),
      };
      const entries = Object.entries(packages).map(([name, entry]) => [`node_modules/${name}`, entry]);
      const lock = { name: "small", lockfileVersion: 3, packages: { "": manifest, ...Object.fromEntries(entries) } };
      writeFileSync(join(at, "package.json"), JSON.stringify(manifest));
      writeFileSync(join(at, "package-lock.json"), JSON.stringify(lock));
    },
    installed: () =>
      readdirSync(join(folder, "node_modules"))
        .filter((name) => !name.startsWith("."))
        .sort(),
    version: (name: string) =>
      JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")).version,
    /** What is being made, or was left by one that was killed. */
    making: () => readdirSync(join(folder, ".cache/making")),
  };
}

/** With npm, which it started. */
function stop({ pid, exitCode, signalCode }: ChildProcess): void {
  if (exitCode === null && signalCode === null) process.kill(-pid!, "SIGKILL");
}

const WENT_ON = { code: 0, out: "went on\n" };
const SAID = "beckon: installing packages (once) …\n";

test("what is missing is installed once, without a word of npm; what only the tests need is left out", async () => {
  const registry = await npmRegistry();
  const { lock, run, installed, making } = project(registry.url);
  lock({ ran: registry.publish("ran", "1.0.0"), checked: { ...registry.publish("checked", "1.0.0"), dev: true } });
  expect(await run()).toEqual({ ...WENT_ON, err: SAID });
  expect(installed()).toEqual(["ran"]);
  expect(await run()).toEqual({ ...WENT_ON, err: "" });
  expect(making()).toEqual([]);
});

test("no home, and a folder with a space and an umlaut: it installs", async () => {
  const registry = await npmRegistry();
  const { folder, lock, run, installed } = project(registry.url);
  lock({ ran: registry.publish("ran", "1.0.0") });
  // Nothing but PATH: npm looks the home up, and finds one that does not exist or belongs to whoever runs this.
  const more = { HOME: "", npm_config_cache: join(folder, ".cache/of-npm") };
  expect(await run([], more)).toEqual({ ...WENT_ON, err: SAID });
  expect([folder, installed()]).toEqual([expect.stringMatching(/my prüject$/), ["ran"]]);
});

test("the packages of tests and benches are installed for the tests, those of a folder when it is needed; a later start keeps them", async () => {
  const registry = await npmRegistry();
  const { folder, lock, run, installed, version } = project(registry.url);
  const checked = { ...registry.publish("checked", "1.0.0"), dev: true };
  lock({ ran: registry.publish("ran", "1.0.0"), checked });
  lock({ peer: registry.publish("peer", "1.0.0") }, join(folder, "bench"));
  lock({ client: registry.publish("client", "1.0.0") }, join(folder, "test/clients"));
  expect(await run(["tests"])).toMatchObject(WENT_ON);
  expect(installed()).toEqual(["checked", "ran"]);
  expect(existsSync(join(folder, "bench/node_modules/peer"))).toBe(true);
  const client = join(folder, "test/clients/node_modules/client");
  expect(existsSync(client)).toBe(false);
  expect(await run(["own", "test/clients"])).toMatchObject({ code: 0 });
  expect(existsSync(client)).toBe(true);
  lock({ ran: registry.publish("ran", "2.0.0"), checked });
  expect(await run()).toMatchObject(WENT_ON);
  expect([installed(), version("ran")]).toEqual([["checked", "ran"], "2.0.0"]);
});

test("a package that was deleted, and the part of another platform, are mended", async () => {
  const registry = await npmRegistry();
  const { folder, lock, run, installed } = project(registry.url);
  lock({
    ran: registry.publish("ran", "1.0.0"),
    here: { ...registry.publish("here", "1.0.0"), ...PLATFORM, optional: true },
    there: { ...registry.publish("there", "1.0.0"), os: ["aix"], cpu: ["ppc64"], optional: true },
  });
  await run();
  for (const name of ["ran", "here"]) {
    rmSync(join(folder, "node_modules", name), { recursive: true });
    expect(await run()).toEqual({ ...WENT_ON, err: SAID });
    expect(installed()).toEqual(["here", "ran"]);
  }
});

test("law: no script of a package runs", async () => {
  const registry = await npmRegistry();
  const { folder, lock, run } = project(registry.url);
  const postinstall = "node -e \"require('node:fs').writeFileSync('ran', '')\"";
  const manifest = JSON.stringify({ name: "one", version: "1.0.0", scripts: { postinstall } });
  lock({ one: { ...registry.publish("one", "1.0.0", { "package.json": manifest }), hasInstallScript: true } });
  expect(await run()).toMatchObject(WENT_ON);
  expect(existsSync(join(folder, "node_modules/one/ran"))).toBe(false);
});

test("law: two first starts at once both go on, with everything in place", async () => {
  const registry = await npmRegistry();
  const { lock, run, installed, making } = project(registry.url);
  const files = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`lib/${at}.js`, `export default ${at};`]));
  lock({ one: registry.publish("one", "1.0.0", files), two: registry.publish("two", "1.0.0", files) });
  expect(await Promise.all([run(), run(), run()])).toEqual(Array(3).fill({ ...WENT_ON, err: SAID }));
  expect(installed()).toEqual(["one", "two"]);
  expect(making()).toEqual([]);
});

test("law: a start that is killed while npm downloads leaves nothing that the next one trips over", async () => {
  const registry = await npmRegistry();
  const { folder, lock, start, run, installed, making } = project(registry.url);
  lock({ one: registry.publish("one", "1.0.0"), two: registry.publish("two", "1.0.0") });
  registry.hold = new Promise(() => undefined);
  const { child, ended } = start();
  await vi.waitFor(() => expect(registry.downloads.length).toBeGreaterThan(0), 30_000);
  process.kill(-child.pid!, "SIGKILL");
  await ended;
  expect(existsSync(join(folder, "node_modules"))).toBe(false);
  expect(making()).toHaveLength(1);
  registry.hold = undefined;
  expect(await run()).toEqual({ ...WENT_ON, err: SAID });
  expect([installed(), making()]).toEqual([["one", "two"], []]);
});

test("SIGTERM ends npm, too", async () => {
  const registry = await npmRegistry();
  const { lock, start } = project(registry.url);
  lock({ one: registry.publish("one", "1.0.0") });
  registry.hold = new Promise(() => undefined);
  const { child, ended } = start();
  await vi.waitFor(() => expect(registry.downloads).toEqual(["one"]), 30_000);
  child.kill("SIGTERM");
  expect((await ended).code).toBe(1);
  await vi.waitFor(async () => expect(await registry.connected()).toBe(0), 10_000);
});

const NETWORK = "Check the network and npm's proxy settings, or set npm_config_registry to a registry within reach.";

test.each([
  ["refuses connections", "http://127.0.0.1:1/", " http://127.0.0.1:1/", ["ECONNREFUSED"]],
  ["refuses connections, and has a password,", "http://user:secret@127.0.0.1:1/", "", ["ECONNREFUSED"]],
  ["has no address", "http://registry.invalid/", " http://registry.invalid/", ["ENOTFOUND", "EAI_AGAIN"]],
])("exit 1: a registry that %s cannot be reached, with what to do", async (_, url, shown, codes) => {
  const { lock, run } = project(url);
  lock({ one: { version: "1.0.0", integrity: `sha512-${"A".repeat(86)}==` } });
  const { code, err } = await run();
  expect(code).toBe(1);
  const failed = `beckon: the packages could not be installed: the package registry${shown} cannot be reached`;
  // On a busy machine npm takes so long that it also says what it waits for.
  const said = err.replace(/^beckon: still waiting for .*\n/gm, "");
  expect(codes.map((one) => `${SAID}${failed} (${one}). ${NETWORK} Then start again.\n`)).toContain(said);
});

test("exit 1: a certificate that is not trusted, as of a proxy that reads connections", async () => {
  const registry = await npmRegistry({ tls: true });
  const { lock, run } = project(registry.url);
  lock({ one: registry.publish("one", "1.0.0") });
  const { code, err } = await run();
  expect(code).toBe(1);
  expect(err).toMatch(
    /: the certificate of the package registry https:\/\/127\.0\.0\.1:\d+\/ is not trusted \([A-Z_]+\), as behind a proxy .* cafile FILE\), and start again\.\n$/,
  );
});

test("exit 1: a package that is not what was published is not installed", async () => {
  const registry = await npmRegistry({ tamper: (tarball) => Buffer.concat([tarball, Buffer.from([0])]) });
  const { folder, lock, run } = project(registry.url);
  lock({ one: registry.publish("one", "1.0.0") });
  const { code, err } = await run();
  expect([code, existsSync(join(folder, "node_modules"))]).toEqual([1, false]);
  expect(err).toMatch(/is not what was published \(EINTEGRITY\)\. Run `npm cache verify`, and start again\.\n$/);
});

test("exit 1: of another failure it shows what npm says", async () => {
  const registry = await npmRegistry();
  const { lock, run } = project(registry.url);
  lock({ gone: { version: "1.0.0", integrity: `sha512-${"A".repeat(86)}==` } });
  const { code, err } = await run();
  expect(code).toBe(1);
  expect(err).toMatch(/beckon: the packages could not be installed; npm says:\n {2}npm error code E404\n/);
  expect(err).not.toContain("complete log");
});

test("a registry that takes connections and answers nothing is named while npm waits", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address() as { port: number };
  const { lock, start } = project(`http://127.0.0.1:${address.port}/`);
  lock({ one: { version: "1.0.0", integrity: `sha512-${"A".repeat(86)}==` } });
  const { seen } = start(["patience", "100"]);
  const said = `beckon: still waiting for the package registry http://127.0.0.1:${address.port}/ (no answer so far). ${NETWORK}\n`;
  await vi.waitFor(() => expect(seen.err).toBe(said), 30_000);
});

test("a cache of npm that cannot be written to is replaced by one of the project", async () => {
  const registry = await npmRegistry();
  const { folder, lock, run } = project(registry.url);
  lock({ one: registry.publish("one", "1.0.0") });
  // A file: what npm would say of a folder that is read-only, it says of this to every user, root too.
  writeFileSync(join(folder, "file"), "");
  expect(await run([], { npm_config_cache: join(folder, "file", "cache") })).toEqual({ ...WENT_ON, err: SAID });
  expect(existsSync(join(folder, ".cache/npm"))).toBe(true);
});

test("exit 1: a folder of the project that cannot be written to", async () => {
  const { folder, lock, run } = project("http://127.0.0.1:1/");
  lock({ one: { version: "1.0.0", integrity: `sha512-${"A".repeat(86)}==` } });
  writeFileSync(join(folder, ".cache"), "");
  const { code, err } = await run();
  expect(code).toBe(1);
  expect(err).toMatch(
    /^beckon: installing .*\nbeckon: the folder .*my prüject\/ cannot be written to \((EEXIST|ENOTDIR)\)/,
  );
});

test("exit 1: there is no npm", async () => {
  const { lock, run } = project("http://127.0.0.1:1/");
  lock({ one: { version: "1.0.0", integrity: `sha512-${"A".repeat(86)}==` } });
  const { code, err } = await run([], { PATH: "/nowhere" });
  expect([code, err]).toEqual([
    1,
    `${SAID}beckon: npm could not be started (ENOENT). Install npm, with which Beckon installs itself.\n`,
  ]);
});
