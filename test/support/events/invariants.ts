import { asc } from "drizzle-orm";
import type { Engine } from "../../../db/engine.ts";
import { audit } from "../../../src/domain/audit/audit.ts";
import { type EventRow, eventId } from "../../../src/domain/events/events.ts";
import type { EventData } from "../../../src/domain/events/types.ts";
import type { ProjectRow } from "../../../src/domain/projects/read.ts";
import { isToldOf } from "../../../src/domain/webhooks/queue.ts";
import { bodyOf } from "../../../src/domain/webhooks/webhook-targets.ts";
import { linkId, linkKey, positionOf } from "../../../src/platform/ids.ts";
import { unpackPositions } from "../../../src/platform/link-set.ts";
import type { Message } from "./verifying-receiver.ts";

/** @returns one sentence for each event that the books imply and that is not there exactly once, or that they do not imply */
export async function checkEvents(db: Engine): Promise<string[]> {
  const { ok, problems } = await audit(db);
  const events = await db.q.select().from(db.t.events);
  const implied = count(await impliedByBooks(db));
  const recorded = count(events.flatMap(described));
  const all = new Set([...implied.keys(), ...recorded.keys()]);
  const wrong = [...all].filter((one) => implied.get(one) !== recorded.get(one));
  return [
    ...(ok ? [] : problems.map((problem) => `audit: ${problem}`)),
    ...wrong.map(
      (one) => `${one}: ${implied.get(one) ?? 0} times in the books, ${recorded.get(one) ?? 0} in the events`,
    ),
    ...(await numberProblems(db, events)),
  ];
}

/** @returns one sentence for each event that did not arrive where it should, or arrived where it should not */
export async function checkArrivals(db: Engine, messages: readonly Message[]): Promise<string[]> {
  const problems: string[] = [];
  const events = await db.q.select().from(db.t.events);
  const arrived = new Map<string, Set<string>>();
  for (const { path, id, body } of messages) {
    const key = `${path} ${id}`;
    arrived.set(key, (arrived.get(key) ?? new Set()).add(body));
  }
  for (const webhook of await db.q.select().from(db.t.webhooks)) {
    const { pathname } = new URL(webhook.url);
    const told = events.filter(({ accountId, no }) => accountId === webhook.accountId && no > webhook.eventsBefore);
    for (const event of told.filter(({ type }) => isToldOf(webhook, type))) {
      const key = `${pathname} ${eventId(event.accountId, event.no)}`;
      const bodies = arrived.get(key);
      arrived.delete(key);
      if (!bodies) problems.push(`${key} (${event.type}) did not arrive`);
      else if (bodies.size > 1 || !bodies.has(bodyOf(event))) problems.push(`${key} arrived with another body`);
    }
  }
  for (const key of arrived.keys()) problems.push(`${key} arrived and is no event of this webhook`);
  for (const { id, status } of await db.q.select().from(db.t.webhookDeliveries))
    if (status !== "succeeded") problems.push(`delivery ${id} is ${status}`);
  return problems;
}

/** What an event says, in the words of `impliedByBooks`; links are told of one by one. */
function described({ type, data: text }: EventRow): string[] {
  const data = JSON.parse(text);
  if (type === "project.completed") return [completionOf(data)];
  if (type === "links.settled") {
    const { links }: EventData["links.settled"] = data;
    return Object.entries(links).flatMap(([state, ids]) => ids.map((id) => `${id} is ${state}`));
  }
  if (type === "order.paid") return [`order.paid ${data.order_id}`];
  if (type === "order.refunded") return [`order.refunded ${data.order_id} ${data.credits_taken_back}`];
  if (type === "credits.low") return [`credits.low ${data.balance}`];
  if (type === "key.created") return [`key.created ${data.key_id}`];
  return [];
}

function completionOf({ project_id, counts, credits_spent, credits_returned }: EventData["project.completed"]): string {
  const { total, indexed, not_indexed, failed } = counts;
  return `project.completed ${project_id} ${[total, indexed, not_indexed, failed, credits_spent, credits_returned]}`;
}

async function impliedByBooks(db: Engine): Promise<string[]> {
  const { projects, orders, apiKeys } = db.t;
  const [allProjects, allOrders, keys] = [
    await db.q.select().from(projects),
    await db.q.select().from(orders),
    await db.q.select().from(apiKeys),
  ];
  const completed = allProjects.filter(({ status }) => status === "completed");
  return [
    ...completed.map(({ id: project_id, total, indexed, notIndexed, failed, creditsSpent, creditsReturned }) => {
      const counts = { total, indexed, not_indexed: notIndexed, failed };
      const credits = { credits_spent: creditsSpent, credits_returned: creditsReturned };
      return completionOf({ project_id, kind: "", name: "", counts, ...credits, completed_at: "" });
    }),
    ...(await impliedByLinks(db, allProjects)),
    ...allOrders.filter(({ paidAt }) => paidAt !== null).map(({ id }) => `order.paid ${id}`),
    ...keys.map(({ id }) => `key.created ${id}`),
    ...(await impliedByLedger(db)),
  ];
}

/** A link is told of when it reaches its state. A link that a check found is told of as indexed, whatever becomes of it later. */
async function impliedByLinks(db: Engine, projects: readonly ProjectRow[]): Promise<string[]> {
  const { links, observations } = db.t;
  const idOf = new Map(projects.map(({ no, id }) => [no, id]));
  const found = (await db.q.select().from(observations)).filter(({ result }) => result === "indexed");
  const wasFound = new Set(found.flatMap((row) => unpackPositions(row).map((at) => linkKey(row.projectNo, at))));
  const rows = await db.q.select().from(links);
  return rows.flatMap(({ id, state }) => {
    const name = linkId(idOf.get((id - positionOf(id)) / linkKey(1, 0))!, positionOf(id));
    const isOther = state === "not_indexed" || state === "failed";
    return [...(wasFound.has(id) ? [`${name} is indexed`] : []), ...(isOther ? [`${name} is ${state}`] : [])];
  });
}

async function impliedByLedger(db: Engine): Promise<string[]> {
  const { accounts, ledger } = db.t;
  const thresholds = new Map((await db.q.select().from(accounts)).map(({ id, lowCredits }) => [id, lowCredits]));
  const takenBack = new Map<string, number>();
  const implied: string[] = [];
  for (const entry of await db.q.select().from(ledger).orderBy(asc(ledger.accountId), asc(ledger.no))) {
    const { accountId, kind, credits, balanceAfter, orderId } = entry;
    const threshold = thresholds.get(accountId)!;
    if (balanceAfter < threshold && balanceAfter - credits >= threshold) implied.push(`credits.low ${balanceAfter}`);
    if (kind !== "adjustment" || orderId === null) continue;
    const total = (takenBack.get(orderId) ?? 0) - credits;
    takenBack.set(orderId, total);
    if (credits < 0) implied.push(`order.refunded ${orderId} ${total}`);
  }
  return implied;
}

async function numberProblems(db: Engine, events: readonly EventRow[]): Promise<string[]> {
  const accounts = await db.q.select().from(db.t.accounts);
  return accounts.flatMap(({ id, events: newest }) => {
    const numbers = events.filter(({ accountId }) => accountId === id).map(({ no }) => no);
    const isWhole = numbers.length === newest && new Set(numbers).size === newest && Math.max(0, ...numbers) === newest;
    return isWhole ? [] : [`account ${id}: ${numbers.length} events, numbered up to ${newest}`];
  });
}

function count(all: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
}
