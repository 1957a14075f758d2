import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { openDatabase } from "../db/open.ts";
import { CardPayer } from "./support/card-payer.ts";

const KILLS = 50;
/** Fourteen days pass in about 8 seconds, so that every kind of step is in hand at some kill. */
const SCALE = "150000";

const folder = mkdtempSync(join(tmpdir(), "beckon-kill-"));
/** Signs what the card processor tells. */
const SECRET = "whsec_of_the_kills";
const env = {
  ...process.env,
  STRIPE_WEBHOOK_SECRET: SECRET,
  DATABASE_URL: `file:${join(folder, "kill.db")}`,
  PORT: "0",
  TIME_SCALE: SCALE,
  LOG_LEVEL: "silent",
};
const running = new Set<ChildProcess>();

afterAll(() => {
  for (const process of running) process.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

test(`law: ${KILLS} kills under submissions, card payments and ticks lose nothing that was acknowledged, and the audit is clean`, {
  timeout: 400_000,
}, async () => {
  const made = JSON.parse(
    await beckon(
      "account",
      "create",
      "--email",
      "kill@example.com",
      "--credits",
      "1000000",
      "--paid",
      "--key",
      "kill",
      "--json",
    ),
  );
  const key: string = made.api_key;
  const acknowledged = new Map<string, { body: string; answer: string }>();
  const payer = new CardPayer(SECRET);

  for (let kill = 0; kill < KILLS; kill++) {
    const service = await serve();
    const submitting = submitUntilDead(service.address, key, kill, acknowledged);
    const paying = payer.payUntilDead(service.address, key);
    // Spread over what a process does in its first second, the writing of submissions and steps included.
    await sleep((kill * 37) % 600);
    service.process.kill("SIGKILL");
    await Promise.all([submitting, paying, once(service.process, "exit")]);
  }
  expect(acknowledged.size).toBeGreaterThan(KILLS);
  expect(payer.acknowledged).toBeGreaterThan(5);

  const service = await serve();
  await payer.finish(service.address);
  // As many as a minute allows are asked again; all are looked up below.
  for (const [name, { body, answer }] of [...acknowledged].slice(-50)) {
    const again = await submit(service.address, key, name, body);
    expect(again?.headers.get("idempotent-replayed"), name).toBe("true");
    expect(await again?.text(), name).toBe(answer);
  }
  await completed(service.address, key);
  service.process.kill("SIGTERM");
  await once(service.process, "exit");
  const audit = JSON.parse(await beckon("audit", "--json"));
  expect(audit).toMatchObject({ ok: true, problems: [], steps: 0 });
  await expectKept(acknowledged, payer);
});

async function submitUntilDead(
  address: string,
  key: string,
  kill: number,
  acknowledged: Map<string, { body: string; answer: string }>,
) {
  const lane = async (lane: number) => {
    for (let number = 0; ; number++) {
      // The account may make 120 requests a minute.
      const name = `${kill}-${lane}-${number}`;
      const links = Array.from(
        { length: 1 + ((kill * 7 + number) % 40) },
        (_, i) => `https://example.com/${name}/${i}`,
      );
      const mode = number % 3 === 0 ? "instant" : "standard";
      const body = JSON.stringify({ urls: links, mode });
      const response = await submit(address, key, name, body);
      const answer = await response?.text().catch(() => undefined);
      if (!response || answer === undefined || response.status === 429) return;
      if (response.status !== 201) throw new Error(answer);
      acknowledged.set(name, { body, answer });
    }
  };
  await Promise.all([lane(0), lane(1)]);
}

async function expectKept(acknowledged: Map<string, { answer: string }>, payer: CardPayer): Promise<void> {
  const db = openDatabase(env.DATABASE_URL);
  const remembered = await db.q.select().from(db.t.idempotency);
  const projects = new Set((await db.q.select().from(db.t.projects)).map((project) => project.id));
  const faults = await payer.faults(db);
  await db.close();
  expect(faults).toEqual([]);
  const results = new Map(remembered.map((row) => [row.key, row.result]));
  for (const [name, { answer }] of acknowledged) {
    expect(results.get(name), name).toBe(answer);
    expect(projects.has(JSON.parse(answer).project.id), name).toBe(true);
  }
}

/** Undefined when the process died before it answered. */
function submit(address: string, key: string, name: string, body: string): Promise<Response | undefined> {
  return fetch(`${address}/api/v1/projects`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": name },
    body,
  }).catch(() => undefined);
}

async function completed(address: string, key: string): Promise<void> {
  for (let turn = 0; turn < 120; turn++) {
    const path = "/api/v1/projects?status=active&limit=1";
    const response = await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${key}` } });
    const { projects } = (await response.json()) as { projects?: unknown[] };
    if (projects?.length === 0) return;
    await sleep(1_000);
  }
  throw new Error("some projects are never completed");
}

async function serve() {
  const process = start("serve", "--json");
  const [line] = await once(createInterface({ input: process.stdout! }), "line");
  return { process, address: JSON.parse(line).address as string };
}

async function beckon(...args: string[]): Promise<string> {
  const process = start(...args);
  let output = "";
  process.stdout!.on("data", (chunk) => {
    output += chunk;
  });
  await once(process, "close");
  return output;
}

function start(...args: string[]): ChildProcess {
  // As it is installed: compiled, which starts more than twice as fast as the sources do.
  const child = spawn(process.execPath, ["scripts/beckon.mjs", ...args], { env, stdio: ["ignore", "pipe", "inherit"] });
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}
