import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { CAN_HAVE_PODMAN, ensurePodman } from "../../scripts/setup/podman.mjs";
import { packageRoot } from "../../src/platform/package-root.ts";
import { makeBaseImage } from "../support/deploy/base-image.ts";
import { openPodman, type Podman, RUN_ANYWHERE } from "../support/deploy/podman.ts";
import { freePort } from "../support/network/free-port.ts";
import { scratchFolder } from "../support/service/cli.ts";

// It is built for it, with everything that the package is made of.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 600_000 });

const execute = promisify(execFile);
const [BASE, IMAGE, VOLUME] = ["localhost/beckon-node:24", "localhost/beckon:test", "beckon-test"];
const MB = 1e6;

describe.skipIf(!CAN_HAVE_PODMAN)("the image, built and run by Podman on a base of Debian's", () => {
  let podman: Podman;
  let key: string;
  const folder = scratchFolder(afterAll);

  beforeAll(async () => {
    ensurePodman();
    podman = await openPodman();
    await makeBaseImage(podman, BASE);
    const how = ["--isolation=chroot", "--layers=false", "--format=docker", ...(await withSettingsOfNpm(folder))];
    const bases = ["BUILD_IMAGE", "RUN_IMAGE"].map((name) => `--build-arg=${name}=${BASE}`);
    await podman("build", ...how, ...bases, "--file=deploy/Containerfile", `--tag=${IMAGE}`, packageRoot);
  });
  afterAll(() => podman?.close());

  test("it is at most 150 MB compressed, of which the program is at most 20", async () => {
    const [base, whole] = [await compressedSize(BASE), await compressedSize(IMAGE)];
    expect(whole - base).toBeLessThan(20 * MB);
    expect(whole).toBeLessThan(150 * MB);
  });

  test("it runs as a user without rights, checks its health without a shell, and knows its volume and port", async () => {
    const [{ Config, Healthcheck, User }] = JSON.parse(await podman("inspect", IMAGE));
    expect(User).toBe("node");
    expect(Config).toMatchObject({
      Entrypoint: ["beckon-server"],
      Cmd: ["serve"],
      Volumes: { "/data": {} },
      ExposedPorts: { "3000/tcp": {} },
    });
    expect(Healthcheck.Test.slice(0, 2)).toEqual(["CMD", "node"]);
  });

  test("with one volume and one port it serves, and the line that it prints creates the first account", async () => {
    const { id, address, log } = await start();
    expect(log).toContain("Database: file:/data/beckon.db");
    const [, engine, name, inside] = /key: (\w+) exec -it (\w+) (beckon-server account create .+)\n/.exec(log)!;
    expect([engine, name]).toEqual(["podman", id.slice(0, 12)]);
    // As it is printed, but for the terminal, which a test has not.
    const made = await podman("exec", name!, ...inside!.split(" "));
    key = /^API key +(\S+)$/m.exec(made)![1]!;
    expect(await accountAt(address)).toMatchObject({ email: "you@example.com", credits: 10_000 });
    const body = JSON.stringify({ urls: ["https://example.com/"] });
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    expect((await fetch(`${address}/api/v1/projects`, { method: "POST", headers, body })).status).toBe(201);
    expect((await fetch(`${address}/docs/operating`)).status).toBe(200);
    await podman("healthcheck", "run", id);
    // The first process is the program, to which the engine sends SIGTERM.
    const first =
      "console.log(process.getuid(), ...require('fs').readFileSync('/proc/1/cmdline', 'utf8').split('\\0'))";
    expect(await podman("exec", id, "node", "-e", first)).toMatch(/^1000 node \S+beckon-server serve/);
    expect(await stopped(id)).toBe(0);
  });

  test("another container on the same volume has the account, with settings from a file", async () => {
    const file = join(folder, "beckon.env");
    writeFileSync(file, "LOG_LEVEL=debug\nSELLER=Example Ltd | 1 High Street\n");
    // With as little as compose.yaml allows it.
    const bounds = ["--read-only", "--tmpfs=/tmp", "--cap-drop=ALL", "--security-opt=no-new-privileges"];
    const { id, address } = await start(`--env-file=${file}`, ...bounds);
    expect(await accountAt(address)).toMatchObject({ email: "you@example.com", credits: 9_999 });
    expect(await podman("exec", id, "beckon-server", "audit")).toMatch(/^Everything adds up: 1 accounts, 1 projects/);
    const setting = "console.log(process.env.SELLER)";
    expect(await podman("exec", id, "node", "-e", setting)).toBe("Example Ltd | 1 High Street\n");
    expect(await stopped(id)).toBe(0);
  });

  async function start(...options: string[]) {
    const port = await freePort();
    const network = `--publish=127.0.0.1:${port}:3000`;
    const run = await podman(
      "run",
      "--detach",
      ...RUN_ANYWHERE,
      network,
      `--volume=${VOLUME}:/data`,
      ...options,
      IMAGE,
    );
    const id = run.trim();
    const logOf = () => podman("logs", id);
    await expect.poll(logOf).toContain("Beckon is running");
    const ip = (await podman("inspect", "--format={{.NetworkSettings.IPAddress}}", id)).trim();
    // A kernel that translates no addresses does not pass on the port of this machine.
    const address = await firstThatAnswers([`http://127.0.0.1:${port}`, `http://${ip}:3000`]);
    return { id, address, log: await logOf() };
  }

  /** Stops a container as an engine does. @returns its exit code */
  async function stopped(id: string): Promise<number> {
    await podman("stop", "--time=25", id);
    const code = Number(await podman("inspect", "--format={{.State.ExitCode}}", id));
    await podman("rm", id);
    return code;
  }

  async function accountAt(address: string): Promise<unknown> {
    const answer = await fetch(`${address}/api/v1/account`, { headers: { Authorization: `Bearer ${key}` } });
    return answer.json();
  }

  /** Of all layers, as a registry keeps them. */
  async function compressedSize(image: string): Promise<number> {
    const copy = join(folder, image.replaceAll(/\W/g, "-"));
    await podman("push", "--compress", image, `dir:${copy}`);
    const { layers } = JSON.parse(readFileSync(join(copy, "manifest.json"), "utf8")) as { layers: { size: number }[] };
    return layers.reduce((sum, { size }) => sum + size, 0);
  }
});

/** Options by which npm in the build uses the packages that this machine has fetched before, and trusts whom it trusts. */
async function withSettingsOfNpm(folder: string): Promise<string[]> {
  const { stdout: cache } = await execute("npm", ["config", "get", "cache"]);
  mkdirSync(cache.trim(), { recursive: true });
  const authorities = process.env.NODE_EXTRA_CA_CERTS;
  const lines = ["prefer-offline=true", ...(authorities ? ["cafile=/run/authorities.pem"] : [])];
  writeFileSync(join(folder, "npmrc"), `${lines.join("\n")}\n`);
  return [
    `--volume=${cache.trim()}:/root/.npm`,
    `--volume=${folder}/npmrc:/root/.npmrc:ro`,
    ...(authorities ? [`--volume=${authorities}:/run/authorities.pem:ro`] : []),
  ];
}

async function firstThatAnswers(addresses: readonly string[]): Promise<string> {
  const answers = addresses.map(async (address) => {
    const { ok } = await fetch(`${address}/healthz`, { signal: AbortSignal.timeout(10_000) });
    if (!ok) throw new Error(`${address} is not healthy`);
    return address;
  });
  return Promise.any(answers);
}
