import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureNginx } from "../../scripts/setup/nginx.mjs";
import { packageRoot } from "../../src/platform/package-root.ts";
import { type PostgresServer, startPostgres } from "../support/database/postgres-server.ts";
import { message, modern, toolCall } from "../support/mcp/post.ts";
import { certificate } from "../support/network/certificate.ts";
import { freePort } from "../support/network/free-port.ts";
import { PROGRAM } from "../support/service/beckon-command.ts";
import { eventually } from "../support/service/eventually.ts";

const HOST = "beckon.test";
const MCP_ANSWERS = "application/json, text/event-stream";
const folder = mkdtempSync(join(tmpdir(), "beckon-nginx-"));
const children: ChildProcess[] = [];
let postgres: PostgresServer;
let nodes: ChildProcess[];
let proxy: { readonly http: number; readonly https: number };
let key: string;

beforeAll(async () => {
  const program = ensureNginx();
  postgres = await startPostgres();
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: postgres.url(),
    SITE_URL: `https://${HOST}`,
    TRUST_PROXY: "1",
    PORT: "0",
    LOG_LEVEL: "error",
  };
  // The first of two makes the schema; both may start at once.
  const started = await Promise.all(["1", "2"].map((name) => serve({ ...env, NODE_NAME: name })));
  nodes = started.map(({ child }) => child);
  const made = await beckon(env, "account", "create", "--email", "ann@example.com", "--paid", "--credits", "50000");
  key = JSON.parse(made).api_key;
  proxy = await startNginx(
    program,
    started.map(({ port }) => port),
  );
}, 120_000);

afterAll(async () => {
  for (const child of children) await end(child);
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("http is redirected to https, links begin with SITE_URL, and operator paths are not served", async () => {
  const plain = await fetch(`http://127.0.0.1:${proxy.http}/docs?x=1`, { redirect: "manual" });
  expect([plain.status, plain.headers.get("location")]).toEqual([301, "https://127.0.0.1/docs?x=1"]);
  expect((await call("GET", "/healthz")).status).toBe(200);
  expect((await call("GET", "/metrics")).status).toBe(404);
  const made = await call("POST", "/api/v1/projects", { body: { urls: ["https://example.com/"] }, key });
  expect(made.status).toBe(201);
  expect(made.json.project.dashboard_url).toMatch(/^https:\/\/beckon\.test\//);
  const { text } = await call("GET", "/docs");
  expect(text).not.toContain("http://127.0.0.1");
});

test("429: limits are per client address, and a forged X-Forwarded-For changes nothing", async () => {
  const estimate = (from: string, forwarded?: string) =>
    call("POST", "/api/v1/estimate", { body: { count: 5 }, from, ...(forwarded ? { forwarded } : {}) });
  let refused = 0;
  // 60 a minute and address, each time as somebody else's.
  for (let n = 0; n < 400 && refused === 0; n += 20) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => estimate("127.0.0.2", `203.0.113.${n + i}, 198.51.100.7`)),
    );
    refused += answers.filter(({ status }) => status === 429).length;
  }
  expect(refused).toBeGreaterThan(0);
  expect((await estimate("127.0.0.3", "127.0.0.2")).status).toBe(200);
});

test("10,000 long URLs in one body pass, and more than 84 MB do not", async () => {
  const urls = Array.from({ length: 10_000 }, (_, i) => `https://example.com/${i}/${"x".repeat(1_900)}`);
  const { status, json } = await call("POST", "/api/v1/projects", { body: { urls }, key });
  expect([status, json.urls_accepted]).toEqual([201, 10_000]);
  const huge = await call("POST", "/api/v1/projects", { headers: { "Content-Length": String(84 * 1024 * 1024 + 1) } });
  expect(huge.status).toBe(413);
});

test("303: the longest state of an app passes on the way to the sign-in page, and back", async () => {
  const body = { client_name: "App", redirect_uris: ["https://app.example/cb"] };
  const { json } = await call("POST", "/oauth/register", { body });
  const asked = { client_id: json.client_id, redirect_uri: body.redirect_uris[0]!, state: '"'.repeat(4_096) };
  const toSignIn = await open("GET", `/oauth/authorize?${new URLSearchParams(asked)}`, {});
  toSignIn.resume();
  expect([toSignIn.statusCode, toSignIn.headers.location!.length > 20_000]).toEqual([303, true]);
  expect((await call("GET", toSignIn.headers.location!)).status).toBe(200);
});

test("A2A events are streamed as they happen", async () => {
  const said = {
    jsonrpc: "2.0",
    id: 1,
    method: "SendStreamingMessage",
    params: {
      message: {
        messageId: "m1",
        role: "ROLE_USER",
        parts: [{ data: { skill: "submit_urls", urls: ["https://example.com/streamed"] } }],
      },
    },
  };
  const stream = await open("POST", "/a2a", { body: said, key, headers: { "A2A-Version": "1.0" } });
  expect([stream.statusCode, stream.headers["content-type"]]).toEqual([
    200,
    expect.stringMatching(/^text\/event-stream/),
  ]);
  // The first event is here while the stream goes on: its end is days away.
  const [first] = await once(stream, "data");
  expect(String(first)).toMatch(/^data: .*"task"/s);
  expect(stream.readableEnded).toBe(false);
  stream.destroy();
});

test("MCP calls are answered, and MCP subscriptions are streamed", async () => {
  const tools = await call("POST", "/mcp", {
    body: toolCall("get_account"),
    key,
    headers: { Accept: MCP_ANSWERS },
  });
  expect(tools.status).toBe(200);
  expect(tools.text).toContain("ann@example.com");

  const listen = modern(message("subscriptions/listen", { notifications: { toolsListChanged: true } }));
  const stream = await open("POST", "/mcp", { ...listen, key, headers: { ...listen.headers, Accept: MCP_ANSWERS } });
  expect([stream.statusCode, stream.headers["content-type"]]).toEqual([200, "text/event-stream"]);
  let text = "";
  for await (const part of stream.setEncoding("utf8")) text += part;
  const events = [...text.matchAll(/^data: (.+)$/gm)].map(([, data]) => JSON.parse(data!));
  expect(events).toMatchObject([{ method: "notifications/subscriptions/acknowledged" }, { id: 1, result: {} }]);
});

test("when one node stops, the other answers every request", async () => {
  const answers: Promise<number>[] = [];
  const ask = async () => (await call("GET", "/api/v1/account", { key })).status;
  for (let n = 0; n < 10; n++) answers.push(ask());
  const gone = once(nodes[0]!, "exit");
  nodes[0]!.kill("SIGTERM");
  let isGone = false;
  void gone.then(() => {
    isGone = true;
  });
  // A key may ask 120 times a minute, and a busy machine takes its time to stop a node.
  for (let n = 0; n < 70 && !isGone; n++) {
    const answer = ask();
    answers.push(answer);
    await answer;
  }
  await gone;
  for (let n = 0; n < 20; n++) answers.push(ask());
  expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
  expect((await call("POST", "/api/v1/estimate", { body: { count: 5 }, from: "127.0.0.9" })).status).toBe(200);
});

interface Call {
  readonly body?: unknown;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Address of this machine to call from. */
  readonly from?: string;
  readonly forwarded?: string;
}

/** Calls the proxy as `HOST`; resolves once the head of the answer is there. */
async function open(method: string, path: string, { body, key, headers, from, forwarded }: Call) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const sent = request({
    host: "127.0.0.1",
    port: proxy.https,
    servername: HOST,
    rejectUnauthorized: false,
    method,
    path,
    maxHeaderSize: 65_536,
    ...(from ? { localAddress: from } : {}),
    headers: {
      Host: HOST,
      ...(key ? { Authorization: `Bearer ${key}` } : {}),
      ...(text === undefined
        ? {}
        : { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(text)) }),
      ...(forwarded ? { "X-Forwarded-For": forwarded } : {}),
      ...headers,
    },
  });
  sent.on("error", () => undefined);
  if (headers?.["Content-Length"]) sent.flushHeaders();
  else sent.end(text);
  const [response] = (await once(sent, "response")) as [import("node:http").IncomingMessage];
  return response;
}

async function call(method: string, path: string, given: Call = {}) {
  const response = await open(method, path, given);
  let text = "";
  for await (const part of response.setEncoding("utf8")) text += part;
  const isJson = response.headers["content-type"]?.startsWith("application/json");
  return { status: response.statusCode!, text, json: isJson ? JSON.parse(text) : null };
}

/** The configuration as it is shipped, with other ports, nodes and files. */
async function startNginx(program: string, ports: readonly number[]) {
  const [http, https] = [await freePort(), await freePort()];
  const tls = join(folder, "tls");
  mkdirSync(tls);
  const made = certificate([HOST]);
  writeFileSync(join(tls, "fullchain.pem"), made.cert);
  writeFileSync(join(tls, "privkey.pem"), made.key);
  const changes: readonly (readonly [from: RegExp, to: string])[] = [
    [/beckon-1:3000/, `127.0.0.1:${ports[0]}`],
    [/beckon-2:3000/, `127.0.0.1:${ports[1]}`],
    [/^ *listen \[::\]:.*\n/gm, ""],
    [/listen 80;/, `listen 127.0.0.1:${http};`],
    [/listen 443 /, `listen 127.0.0.1:${https} `],
    [/\/etc\/nginx\/tls/g, tls],
  ];
  let site = readFileSync(new URL("../../deploy/nginx.conf", import.meta.url), "utf8");
  for (const [from, to] of changes) {
    expect(site).toMatch(from);
    site = site.replace(from, to);
  }
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const main = `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
    http { access_log off; ${places.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}\n${site}\n}`;
  writeFileSync(join(folder, "nginx.conf"), main);
  const child = keep(
    spawn(program, ["-p", folder, "-e", join(folder, "error.log"), "-c", join(folder, "nginx.conf")], {
      stdio: "ignore",
    }),
  );
  const answers = async () => {
    if (child.exitCode !== null) return;
    await fetch(`http://127.0.0.1:${http}/`, { redirect: "manual" });
  };
  await eventually(answers);
  if (child.exitCode !== null) throw new Error(readFileSync(join(folder, "error.log"), "utf8"));
  return { http, https };
}

function program(env: NodeJS.ProcessEnv, ...args: string[]): ChildProcess {
  return keep(
    spawn(process.execPath, [...PROGRAM, ...args, "--json"], {
      cwd: packageRoot,
      env,
      stdio: ["ignore", "pipe", "inherit"],
    }),
  );
}

async function beckon(env: NodeJS.ProcessEnv, ...args: string[]): Promise<string> {
  let text = "";
  for await (const part of program(env, ...args).stdout!.setEncoding("utf8")) text += part;
  return text;
}

async function serve(env: NodeJS.ProcessEnv): Promise<{ child: ChildProcess; port: number }> {
  const child = program(env, "serve");
  let text = "";
  for await (const part of child.stdout!.iterator({ destroyOnReturn: false })) {
    text += part;
    if (text.includes("\n")) break;
  }
  child.stdout!.resume();
  return { child, port: Number(new URL(JSON.parse(text.split("\n")[0]!).address).port) };
}

function keep(child: ChildProcess): ChildProcess {
  children.push(child);
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
