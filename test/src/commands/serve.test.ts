import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { parseMetrics } from "../../support/checks/open-metrics.ts";
import { killAt } from "../../support/kills/killable-service.ts";
import { freePort } from "../../support/network/free-port.ts";
import { PROGRAM } from "../../support/service/beckon-command.ts";
import { beckonProcess } from "../../support/service/beckon-process.ts";
import { accountIn, beckon, scratchFolder } from "../../support/service/cli.ts";

let env: { DATABASE_URL: string; PORT: string };
beforeEach(() => {
  env = { DATABASE_URL: `file:${join(scratchFolder(), "test.db")}`, PORT: "0" };
});

test("serves, prints its address and the demo key, does steps that are due, and stops on SIGTERM with code 0", async () => {
  const { address, demo, service } = await served({ TIME_SCALE: "1000000" });
  const sign_in_url = expect.stringMatching(`^${address}/sign-in/demo\\?link=lnk_[\\w-]{43}$`);
  const key = expect.stringMatching(/^bk_test_/);
  expect(demo).toEqual({ key, email: "demo@beckon.localhost", credits: 10_000, sign_in_url });
  const headers = { Authorization: `Bearer ${demo.key}`, "Content-Type": "application/json" };
  const body = JSON.stringify({ urls: ["https://example.com/?sandbox=hour", "https://example.com/?sandbox=never"] });
  const made = await fetch(`${address}/api/v1/projects`, { method: "POST", headers, body });
  const { project } = (await made.json()) as { project: { id: string; dashboard_url: string } };
  expect(project.dashboard_url).toContain(address);
  const read = async () => {
    const answer = await fetch(`${address}/api/v1/projects/${project.id}`, { headers });
    return (await answer.json()) as { status: string; counts: object; credits_returned: number };
  };
  await expect.poll(async () => (await read()).status, { timeout: 15_000, interval: 200 }).toBe("completed");
  expect(await read()).toMatchObject({ counts: { indexed: 1, not_indexed: 1 }, credits_returned: 1 });

  service.child.kill("SIGTERM");
  const { code, err } = await service.exited;
  expect(code).toBe(0);
  expect(err).toContain('"msg":"stopped"');
  expect(err).toContain(`"database":"${env.DATABASE_URL}"`);
  expect(err).not.toContain(demo.key);
  expect(err).not.toContain("lnk_");
  expect((await beckon(env, "audit", "--json")).json).toMatchObject({ ok: true, projects: 1 });
});

test("law: a service that has started has a small space for young objects", async () => {
  const { address } = await served();
  const metrics = parseMetrics(await (await fetch(`${address}/metrics`)).text(), false);
  const { samples } = metrics.get("nodejs_heap_space_size_total_bytes")!;
  const young = samples.find(({ labels }) => labels.space === "new")!;
  expect(young.value).toBeLessThan(5e6);
});

test("a SIGTERM between listening and the end of the start stops it with code 0", async () => {
  const port = await freePort();
  const service = beckonProcess({ ...env, PORT: String(port) }, "serve", "--json");
  const listens = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(socket.destroy().destroyed));
      socket.on("error", () => resolve(false));
    });
  const victim = { kill: () => void service.child.kill("SIGTERM"), isDead: () => service.child.exitCode !== null };
  expect(await killAt(victim, { work: service.exited, isReached: listens })).toBe(true);
  const { code, err } = await service.exited;
  expect([code, err.includes('"msg":"stopped"')]).toEqual([0, true]);
});

test("a running call is answered after SIGTERM, and new connections are refused", async () => {
  const { address, service } = await served();
  const { hostname, port } = new URL(address);
  const call = connect(Number(port), hostname);
  call.write(
    "POST /api/v1/estimate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{",
  );
  await sleep(200);
  service.child.kill("SIGTERM");
  await sleep(300);
  await expect(fetch(`${address}/api/v1/pricing`)).rejects.toThrow();
  call.end('"count":5}');
  let answer = "";
  for await (const data of call) answer += data;
  expect(answer).toMatch(/^HTTP\/1.1 200 /);
  expect((await service.exited).code).toBe(0);
});

test("a second signal ends it at once; a duplicate of the first does not", async () => {
  const { address, service } = await served();
  const { hostname, port } = new URL(address);
  const hanging = connect(Number(port), hostname);
  hanging.on("error", () => undefined);
  hanging.write(
    "POST /api/v1/estimate HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{",
  );
  await sleep(200);
  service.child.kill("SIGINT");
  await sleep(100);
  service.child.kill("SIGINT");
  await sleep(600);
  expect(service.child.exitCode).toBeNull();
  service.child.kill("SIGINT");
  expect((await service.exited).code).toBe(130);
});

test("exit 1: the port is in use; prints one line", async () => {
  const { address } = await served();
  const other = { DATABASE_URL: `file:${join(scratchFolder(), "test.db")}`, PORT: new URL(address).port };
  const { code, err, out } = await beckon(other, "serve");
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toBe(
    `beckon: Port ${other.PORT} is in use. Stop the program that uses it, or set PORT to another one.\n`,
  );
});

describe("exit 1, and nothing listens: a setting that the service cannot use is named", () => {
  const live = {
    ENGINES: "live",
    SITE_URL: "https://beckon.example",
    STRIPE_SECRET_KEY: "sk_live_x",
    STRIPE_WEBHOOK_SECRET: "whsec_x",
    SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
  };
  test.each<[string, string, NodeJS.ProcessEnv]>([
    ["FETCH_ALLOW_CIDRS", "10.0.0.0/99", {}],
    ["SANDBOX_FAULTS", "zzz", {}],
    ["MAIL", "smtp://beckon:%zz@mail.example", {}],
    ["ENGINES", "serpent", live],
    ["GOOGLE_SERVICE_ACCOUNT", "/nowhere/key.json", live],
  ])("%s=%s, for serve and for doctor", async (name, value, more) => {
    const settings = { ...env, MAIL: `file:${scratchFolder()}`, ...more, [name]: value };
    const { code, out, err } = await beckon(settings, "serve");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(name);
    const checked = await beckon(settings, "doctor");
    expect(checked.code).toBe(1);
    expect(checked.out + checked.err).toContain(name);
  });
});

test("exit 1: PostgreSQL does not answer for a minute; the reason is logged while waiting, and the end is one line", async () => {
  const logged = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => void vi.restoreAllMocks());
  const away = { DATABASE_URL: "postgres://beckon:correct-horse-battery@127.0.0.1:1/beckon", PORT: "0" };
  const running = beckon(away, "serve");
  const log = () => logged.mock.calls.map(([line]) => String(line)).join("");
  await expect.poll(log).toContain('"level":40');
  expect(log()).toContain(
    "PostgreSQL at 127.0.0.1:1 cannot be used yet; waiting for it, up to 60 s. PostgreSQL does not answer: the connection was refused.",
  );
  const at = performance.now();
  vi.spyOn(performance, "now").mockReturnValue(at + 61_000);
  const { code, out, err } = await running;
  expect({ code, out, err }).toEqual({
    code: 1,
    out: "",
    err: "beckon: DATABASE_URL, PostgreSQL at 127.0.0.1:1: PostgreSQL does not answer: the connection was refused.\n",
  });
  expect(log()).not.toContain("correct-horse-battery");
});

test("a second start uses the demo key again, and voids the first link; a terminal gets three lines to paste", async () => {
  const first = await served();
  first.service.child.kill("SIGTERM");
  await first.service.exited;
  const again = beckonProcess(env, "serve");
  const [, address] = /^Beckon is running at (http:\/\/localhost:\d+) /.exec(await again.firstLine())!;
  const { pathname, search } = new URL(first.demo.sign_in_url);
  expect((await fetch(`${address}${pathname}${search}`)).status).toBe(410);
  again.child.kill("SIGTERM");
  const { out } = await again.exited;
  // A DATABASE_URL that is empty is not set: which one it is, is said.
  expect(out).toContain(`\nDatabase: ${env.DATABASE_URL}\n`);
  expect(out).toContain(`Demo key: ${first.demo.key}  (10,000 credits)`);
  expect(out).toMatch(
    /^ {2}curl -s http.+\n {2}claude mcp add --transport http beckon http.+\/mcp --header "Authorization: Bearer .+"\n {2}http.+\/sign-in\/demo\?link=lnk_.+\n/m,
  );
});

test("a sandbox that others reach has no demo account: it prints the line that creates the first one", async () => {
  const service = beckonProcess({ ...env, HOST: "0.0.0.0" }, "serve");
  await service.firstLine();
  service.child.kill("SIGTERM");
  const { out } = await service.exited;
  const [, line] = /^Create an account with a key: npm run -s beckon -- (.+)$/m.exec(out)!;
  const { json } = await beckon(env, ...line!.split(" "), "--json");
  expect(json.account).toMatchObject({ email: "you@example.com", credits: 10_000, paid: true });
});

test("a live service that sells nothing prints the lines that create an account and let it index", async () => {
  const live = {
    ...{ ENGINES: "live", PAYMENTS: "off", MAIL: `file:${scratchFolder()}`, SITE_URL: "https://beckon.example" },
    SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
  };
  const service = beckonProcess({ ...env, ...live }, "serve");
  await service.firstLine();
  service.child.kill("SIGTERM");
  const { out } = await service.exited;
  const lines = /^Create an account with a key: (.+)\nThen let it index: (.+)$/m.exec(out)!.slice(1);
  for (const line of lines) {
    const args = line.replace("npm run -s beckon -- ", "").split(" ");
    expect((await beckon({ ...env, ...live }, ...args)).code).toBe(0);
  }
  const { json } = await beckon({ ...env, ...live }, "account", "list", "--json");
  expect(json.accounts).toMatchObject([{ email: "you@example.com", credits: 1_000 }]);
});

test.each([
  ["its log", "2> /dev/full"],
  ["its log and its output", "> /dev/full 2>&1"],
])("law: with %s on a full disk it serves, and loses no call", async (_, to) => {
  const { json } = await accountIn(
    env,
    ...["--email", "a@example.com", "--paid", "--credits", "10", "--key", "first", "--json"],
  );
  const port = String(await freePort());
  const settings = { PATH: process.env.PATH, ...env, PORT: port, LOG_LEVEL: "debug" };
  const child = spawn("sh", ["-c", `exec "$@" ${to}`, "sh", process.execPath, ...PROGRAM, "serve"], { env: settings });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = once(child, "exit");
  const address = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isReady, { timeout: 15_000 }).toBe(true);
  const headers = { Authorization: `Bearer ${json.api_key}`, "Content-Type": "application/json" };
  for (const page of ["1", "2", "3"]) {
    const body = JSON.stringify({ urls: [`https://example.com/${page}`] });
    expect((await fetch(`${address}/api/v1/projects`, { method: "POST", headers, body })).status).toBe(201);
    // What is refused and what fails is logged.
    expect((await fetch(`${address}/api/v1/projects`, { method: "POST", headers, body: "{" })).status).toBe(400);
  }
  expect(child.exitCode).toBe(null);
  child.kill("SIGTERM");
  await exited;
  expect((await beckon(env, "audit", "--json")).json).toMatchObject({ ok: true, projects: 3 });
});

async function served(more: NodeJS.ProcessEnv = {}) {
  const service = beckonProcess({ ...env, ...more }, "serve", "--json");
  const { address, demo } = JSON.parse(await service.firstLine()) as {
    address: string;
    demo: { key: string; credits: number; sign_in_url: string };
  };
  return { address, demo, service };
}
