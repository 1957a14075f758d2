import { setTimeout as sleep } from "node:timers/promises";
import { eq, isNotNull, ne, sql } from "drizzle-orm";
import type { Engine } from "../../../db/engine.ts";
import { openDatabase } from "../../../db/open.ts";
import { createWebhook } from "../../../src/domain/webhooks/webhooks.ts";
import { FATES } from "../../../src/indexing/engines/sandbox/fate.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { secretBoxOf } from "../../../src/platform/config/secrets-key.ts";
import { ownerOf } from "../database/people.ts";
import { checkArrivals, checkEvents } from "../events/invariants.ts";
import { VerifyingReceiver } from "../events/verifying-receiver.ts";
import { openAccount } from "../nodes/account.ts";
import { SeededRandom } from "../nodes/seeded-random.ts";
import { CardPayer } from "../payments/card-payer.ts";
import { endLeases, KillableService } from "./killable-service.ts";

export interface EventKillOptions {
  readonly databaseUrl: string;
  readonly seed: number;
  readonly kills: number;
  /** Prints a line for each kill. */
  say?(line: string): void;
}

export interface EventKillReport {
  /** One sentence for each invariant that does not hold. */
  readonly problems: readonly string[];
  readonly kills: number;
  readonly events: number;
  readonly projects: number;
  readonly orders: number;
  /** Messages that came, and how many of them had come before. */
  readonly messages: number;
  readonly repeated: number;
}

/** Signs what the card processor tells. */
const CARD_SECRET = "whsec_of_the_kills";
const SETTINGS = {
  STRIPE_WEBHOOK_SECRET: CARD_SECRET,
  SECRETS_KEY: Buffer.alloc(32, 5).toString("base64"),
  // Fourteen days pass in a second, so that most processes settle something.
  TIME_SCALE: "1000000",
};

/** An account is used for so many kills, within its limits. */
const KILLS_PER_ACCOUNT = 10;

/**
 * Runs a service that settles projects, is paid for orders and delivers events to a receiver, and kills it at random moments.
 * Another process is started after each kill; the last one may finish. Then the events are compared with the books, and what
 * has arrived with the events.
 */
export async function eventKills({
  databaseUrl,
  seed,
  kills,
  say = () => undefined,
}: EventKillOptions): Promise<EventKillReport> {
  const random = new SeededRandom(seed);
  const receiver = new VerifyingReceiver(random);
  const receiverUrl = await receiver.listen();
  const db = await openDatabase(databaseUrl);
  const service = new KillableService(databaseUrl, SETTINGS);
  try {
    const customers: Customer[] = [];
    for (let kill = 0; kill < kills; kill++) {
      if (kill % KILLS_PER_ACCOUNT === 0) customers.push(await openCustomer(db, receiver, receiverUrl));
      const moment = momentOf(random);
      const acknowledged = await workUntilKilled(service, { customer: customers.at(-1)!, receiver, moment, random });
      say(`kill ${kill + 1} ${JSON.stringify(moment)}, ${acknowledged} calls answered`);
    }
    receiver.succeed();
    await endLeases(db);
    const last = await service.start();
    for (const { payer } of customers) await payer.finish(last.address);
    const problems = await waitUntilTold(db);
    await last.stop();
    problems.push(...receiver.problems, ...(await checkEvents(db)), ...(await checkArrivals(db, receiver.messages)));
    for (const { payer } of customers) problems.push(...(await payer.faults(db)));
    return { problems, kills, ...(await figures(db, receiver)) };
  } finally {
    service.close();
    await db.close();
    await receiver.close();
  }
}

interface Customer {
  readonly key: string;
  readonly payer: CardPayer;
}

/** Opens an account with two webhooks: the person's, which gets all events, and a key's, which gets events of projects. */
async function openCustomer(db: Engine, receiver: VerifyingReceiver, receiverUrl: string): Promise<Customer> {
  const box = secretBoxOf(readConfig({ SECRETS_KEY: SETTINGS.SECRETS_KEY }));
  const { id: accountId, keys } = await openAccount(db, 100_000);
  const [key] = await db.q.select().from(db.t.apiKeys).where(eq(db.t.apiKeys.accountId, accountId));
  const makers = [
    { maker: await ownerOf(db, accountId), types: null },
    { maker: key!.id, types: ["project.completed", "links.settled"] },
  ] as const;
  for (const { maker, types } of makers) {
    const path = `/${accountId}/${maker}`;
    const fields = { url: `${receiverUrl}${path}`, types, description: "", status: "active" } as const;
    const { secret } = await db.tx((tx) => createWebhook(tx, box, { accountId, maker, ...fields, now: Date.now() }));
    receiver.expect(path, secret!);
  }
  return { key: keys[0]!, payer: new CardPayer(CARD_SECRET) };
}

/** What a process has done when it is killed, and how many ms after that. */
interface Moment {
  readonly after: "start" | "answers" | "messages";
  readonly count: number;
  readonly ms: number;
}

function momentOf(random: SeededRandom): Moment {
  const after = random.pick(["start", "answers", "messages", "messages"] as const);
  if (after === "start") return { after, count: 0, ms: random.between(0, 2_500) };
  if (after === "answers") return { after, count: random.between(1, 8), ms: random.between(0, 60) };
  // At once: the message has arrived, and the process does not know.
  return { after, count: random.between(1, 30), ms: random.pick([0, 0, random.between(0, 20)]) };
}

/** A moment that does not come, because nothing is left to do, is passed over after so many ms. */
const LONGEST_WAIT = 6_000;

interface Given {
  readonly customer: Customer;
  readonly receiver: VerifyingReceiver;
  readonly moment: Moment;
  readonly random: SeededRandom;
}

/** Gives a process work until its moment. @returns how many calls it has answered */
async function workUntilKilled(
  service: KillableService,
  { customer, receiver, moment, random }: Given,
): Promise<number> {
  let answers = 0;
  await service.live(({ address, kill }) => {
    let hasCome = moment.after === "start";
    if (moment.after === "messages")
      receiver.afterMessages(moment.count, () => {
        hasCome = true;
        if (moment.ms === 0) kill();
      });
    const work = workUntilDead(address, customer.key, random, () => {
      answers += 1;
      if (moment.after === "answers" && answers >= moment.count) hasCome = true;
    });
    return {
      // What the kill interrupts fails.
      work: Promise.allSettled([work, customer.payer.payUntilDead(address, customer.key)]),
      isReached: () => hasCome,
      ms: () => moment.ms,
      longestMs: LONGEST_WAIT,
    };
  });
  return answers;
}

/** Submits projects and checks, and cancels some, until the service is killed. */
async function workUntilDead(address: string, key: string, random: SeededRandom, onAnswer: () => void): Promise<void> {
  const post = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const response = await fetch(`${address}/api/v1/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    const answer = (await response.json()) as { project: { id: string } };
    onAnswer();
    return response.ok ? answer.project.id : null;
  };
  const fates = Object.keys(FATES);
  const lane = async () => {
    for (let call = 0; call < 5; call++) {
      const urls = Array.from({ length: random.between(1, 30) }, () => {
        return `https://example.com/${random.between(0, 1e9)}?sandbox=${random.pick(fates)}`;
      });
      const kind = random.pick(["standard", "instant", "check"]);
      const project = await (kind === "check" ? post("checks", { urls }) : post("projects", { urls, mode: kind }));
      if (project !== null && random.next() < 0.3) await post(`projects/${project}/cancel`, {});
    }
  };
  await Promise.all([lane(), lane()]);
}

/** How long the last process may take, in ms. */
const FINISH_MS = 180_000;

/** Waits until no project is open, no event waits to be handed on and no delivery waits. @returns what is left at the end */
async function waitUntilTold(db: Engine): Promise<string[]> {
  const { projects, events, webhookDeliveries: deliveries } = db.t;
  const n = sql<number>`count(*)`.mapWith(Number);
  const deadline = performance.now() + FINISH_MS;
  for (;;) {
    const [open] = await db.q.select({ n }).from(projects).where(ne(projects.status, "completed"));
    const [queued] = await db.q.select({ n }).from(events).where(isNotNull(events.queuedAt));
    const [waiting] = await db.q.select({ n }).from(deliveries).where(eq(deliveries.status, "pending"));
    const left = { projects: open!.n, events: queued!.n, deliveries: waiting!.n };
    if (Object.values(left).every((count) => count === 0)) return [];
    if (performance.now() > deadline) return [`still open at the end: ${JSON.stringify(left)}`];
    await sleep(50);
  }
}

async function figures(db: Engine, { messages }: VerifyingReceiver) {
  const { projects, events, orders } = db.t;
  const different = new Set(messages.map(({ path, id }) => `${path} ${id}`)).size;
  return {
    events: (await db.q.select().from(events)).length,
    projects: (await db.q.select().from(projects)).length,
    orders: (await db.q.select().from(orders)).length,
    messages: messages.length,
    repeated: messages.length - different,
  };
}
