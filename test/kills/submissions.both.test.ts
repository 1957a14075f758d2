import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { runsOf } from "../support/checks/fuzz-runs.ts";
import { isOnPostgres } from "../support/database/database.ts";
import { endLeases } from "../support/kills/killable-service.ts";
import { testKillable } from "../support/kills/test-killable.ts";
import { CardPayer } from "../support/payments/card-payer.ts";

/** Each at another moment. PostgreSQL loses no process with ours: what is left half done is the server's to undo. */
const KILLS = runsOf({ usually: 2, deep: isOnPostgres ? 5 : 12 });
/** Fourteen days pass in about 8 seconds, so that every kind of step is in hand at some kill. */
const SCALE = "150000";

/** How many submissions a process is given by each of two: it dies before it has done them all. */
const SUBMISSIONS = 4;

/** Signs what the card processor tells. */
const SECRET = "whsec_of_the_kills";
const { service, db } = await testKillable({ STRIPE_WEBHOOK_SECRET: SECRET, TIME_SCALE: SCALE });

test(`law: ${KILLS} kills during submissions, card payments and recurring jobs lose nothing that was acknowledged, and the audit is clean`, {
  timeout: 400_000,
}, async () => {
  const key = await service.account("kill");
  const acknowledged = new Map<string, { body: string; answer: string }>();
  const payer = new CardPayer(SECRET);

  for (let kill = 0; kill < KILLS; kill++) {
    // By turns, since one of them alone would reach any number on a machine where the other is slow.
    const count = () => (kill % 2 === 0 ? acknowledged.size : payer.acknowledged);
    const target = count() + (kill % 6);
    await service.live(({ address }) => ({
      work: Promise.all([submitUntilDead(address, key, kill, acknowledged), payer.payUntilDead(address, key)]),
      // Before anything is done, and after so many answers, with others on their way: however fast the machine is.
      isReached: (isOver) => isOver || count() >= target,
      // One in five lives on, and dies at some step of the checker's.
      ms: () => (kill % 5 === 3 ? 600 : (kill * 7) % 40),
    }));
  }
  for (const count of [acknowledged.size, payer.acknowledged]) expect(count).toBeGreaterThan(KILLS / 4);

  await endLeases(db);
  const { address, stop } = await service.start();
  await payer.finish(address);
  // As many as a minute allows are asked again; all are looked up below.
  for (const [name, { body, answer }] of [...acknowledged].slice(-50)) {
    const again = await submit(address, key, name, body);
    expect(again?.headers.get("idempotent-replayed"), name).toBe("true");
    expect(await again?.text(), name).toBe(answer);
  }
  await completed(address, key);
  await stop();
  const audit = JSON.parse(await service.command("audit", "--json"));
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
    for (let number = 0; number < SUBMISSIONS; number++) {
      const name = `${kill}-${lane}-${number}`;
      const links = Array.from(
        { length: 1 + ((kill * 7 + number) % 40) },
        (_, i) => `https://example.com/${name}/${i}`,
      );
      const mode = number % 3 === 0 ? "instant" : "standard";
      const body = JSON.stringify({ urls: links, mode });
      const response = await submit(address, key, name, body);
      const answer = await response?.text().catch(() => undefined);
      // The account may make 120 requests a minute.
      if (!response || answer === undefined || response.status === 429) return;
      if (response.status !== 201) throw new Error(answer);
      acknowledged.set(name, { body, answer });
    }
  };
  await Promise.all([lane(0), lane(1)]);
}

async function expectKept(acknowledged: Map<string, { answer: string }>, payer: CardPayer): Promise<void> {
  const remembered = await db.q.select().from(db.t.idempotency);
  const projects = new Set((await db.q.select().from(db.t.projects)).map((project) => project.id));
  const faults = await payer.faults(db);
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
  for (let attempt = 0; attempt < 120; attempt++) {
    const path = "/api/v1/projects?status=active&limit=1";
    const response = await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${key}` } });
    const { projects } = (await response.json()) as { projects?: unknown[] };
    if (projects?.length === 0) return;
    await sleep(1_000);
  }
  throw new Error("some projects are never completed");
}
