import { and, asc, eq, gte, inArray, lte, sql } from "drizzle-orm";
import type { Reader } from "../../../db/engine.ts";
import type { LinkState } from "../../domain/projects/states.ts";
import { DAY } from "../../platform/clock.ts";
import { linkKey } from "../../platform/ids.ts";
import { unpackPositions } from "../../platform/link-set.ts";
import { dayIn } from "./calendar.ts";
import { providerOf } from "./quota.ts";

/** Figures of a provider for the last days. */
export interface Score {
  readonly provider: string;
  readonly calls: number;
  /** URLs submitted to the provider: accepted, rejected, or with a lost answer. */
  readonly sent: number;
  readonly accepted: number;
  readonly rejected: number;
  /**
   * Links that it was the last to send to Google and whose final check is over, and how many of them are indexed. Younger ones
   * would distort the rate: a success is known at the first check, a failure not before the final one.
   */
  readonly decided: number;
  readonly indexed: number;
  /** URLs that the provider looked up, and how many of them stayed unknown. */
  readonly looks: number;
  readonly unknown: number;
  readonly errors: number;
  /** Millionths of a dollar. */
  readonly cost: number;
  readonly ok: boolean;
  /** Why the provider is failing, and until when (service time) it is held. */
  readonly reason: string | null;
  readonly heldUntil: number | null;
}

/** @param now service time */
export async function scoreboard(db: Reader, days: number, now: number): Promise<Score[]> {
  const since = now - days * DAY;
  const counted = await countsSince(db, dayIn("UTC", since));
  const rates = await ratesSince(db, since, now - 14 * DAY);
  // What concerns one site says nothing about its provider.
  const all = (await db.q.select().from(db.t.providers)).filter(({ name }) => name === providerOf(name));
  const states = new Map(all.map((row) => [row.name, row]));
  const names = [...new Set([...counted.keys(), ...rates.keys(), ...states.keys()])].sort();
  return names.map((provider) => {
    const { accepted = 0, rejected = 0, uncertain = 0, ...counts } = counted.get(provider) ?? {};
    const { failures = 0, reason = null, heldUntil = null } = states.get(provider) ?? {};
    const looked = (counts.indexed ?? 0) + (counts.notIndexed ?? 0) + (counts.unknown ?? 0);
    return {
      provider,
      calls: counts.calls ?? 0,
      sent: accepted + rejected + uncertain,
      accepted,
      rejected,
      ...(rates.get(provider) ?? { decided: 0, indexed: 0 }),
      looks: looked,
      unknown: counts.unknown ?? 0,
      errors: counts.failures ?? 0,
      cost: counts.cost ?? 0,
      ok: failures === 0,
      reason,
      heldUntil: heldUntil !== null && heldUntil > now ? heldUntil : null,
    };
  });
}

const COUNTERS = [
  "calls",
  "accepted",
  "rejected",
  "uncertain",
  "indexed",
  "notIndexed",
  "unknown",
  "failures",
  "cost",
] as const;

async function countsSince(db: Reader, day: number) {
  const { providerDays } = db.t;
  const counts = new Map<string, Partial<Record<(typeof COUNTERS)[number], number>>>();
  for (const row of await db.q.select().from(providerDays).where(gte(providerDays.day, day))) {
    const name = providerOf(row.name);
    const sum = counts.get(name) ?? {};
    for (const counter of COUNTERS) sum[counter] = (sum[counter] ?? 0) + row[counter];
    counts.set(name, sum);
  }
  return counts;
}

/** Of the links sent to Google between `since` and `judged`: how many are decided, and how many are indexed. */
async function ratesSince(
  db: Reader,
  since: number,
  judged: number,
): Promise<Map<string, { decided: number; indexed: number }>> {
  const { deliveries } = db.t;
  const projects = await db.q
    .selectDistinct({ no: deliveries.projectNo })
    .from(deliveries)
    .where(and(eq(deliveries.lane, "google"), gte(deliveries.at, since)));
  const rates = new Map<string, { decided: number; indexed: number }>();
  for (const { no } of projects) {
    const sent = await db.q
      .select()
      .from(deliveries)
      .where(
        and(
          eq(deliveries.projectNo, no),
          eq(deliveries.lane, "google"),
          inArray(deliveries.status, ["sent", "accepted"]),
        ),
      )
      .orderBy(asc(deliveries.id));
    // The last delivery counts. A link that was sent twice belongs to the second provider.
    const providers = new Map(
      sent.flatMap((row) => unpackPositions(row).map((position) => [position, row.provider] as const)),
    );
    for (const { position, state } of await decidedOf(db, no, judged)) {
      const provider = providers.get(position);
      if (provider === undefined) continue;
      const rate = rates.get(provider) ?? { decided: 0, indexed: 0 };
      rates.set(provider, { decided: rate.decided + 1, indexed: rate.indexed + Number(state === "indexed") });
    }
  }
  return rates;
}

async function decidedOf(
  db: Reader,
  projectNo: number,
  judged: number,
): Promise<{ position: number; state: LinkState }[]> {
  const { links } = db.t;
  const first = linkKey(projectNo, 0);
  const inProject = sql`${links.id} >= ${first} AND ${links.id} < ${linkKey(projectNo + 1, 0)}`;
  const rows = await db.q
    .select({ id: links.id, state: links.state })
    .from(links)
    .where(and(inProject, lte(links.sentAt, judged), inArray(links.state, ["indexed", "not_indexed"])));
  return rows.map(({ id, state }) => ({ position: id - first, state }));
}
