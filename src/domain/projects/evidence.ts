import { and, eq, gte, lte, type SQL, sql } from "drizzle-orm";
import type { Reader, StepRow } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import { hasPosition } from "../../platform/link-set.ts";
import { ACTIONS, CHECK_RESULTS, CHECK_STAGES, DELIVERY_STATUSES, LANES } from "./states.ts";

export type OpenStep = Pick<StepRow, "action" | "stage" | "dueAt">;
export type Delivery = Pick<Schema["deliveries"]["$inferSelect"], "lane" | "at" | "status" | "provider" | "detail">;
export type Observation = Pick<
  Schema["observations"]["$inferSelect"],
  "at" | "stage" | "result" | "method" | "provider" | "reason" | "counts"
>;
export type BingCheck = Pick<Schema["bingChecks"]["$inferSelect"], "at" | "result" | "reason">;

/** What is stored per set of links, each with the links that it is about. Oldest first. */
export interface Evidence {
  /** Open steps of the Google lane. */
  readonly steps: readonly About<OpenStep>[];
  readonly deliveries: readonly About<Delivery>[];
  readonly observations: readonly About<Observation>[];
  readonly bingChecks: readonly About<BingCheck>[];
}

/** Something about a set of links. */
export interface About<What> {
  readonly what: What;
  readonly links: { readonly first: number; readonly members: Buffer };
}

/** What is about a link, of a list of one kind. */
export function aboutLink<What>(list: readonly About<What>[], position: number): What[] {
  return list.filter(({ links }) => hasPosition(links, position)).map(({ what }) => what);
}

const STEP = 0;
const DELIVERY = 1;
const OBSERVATION = 2;

/** The evidence about links between two positions of a project, of all kinds in one statement. */
export async function evidenceIn(db: Reader, range: { no: number; from: number; to: number }): Promise<Evidence> {
  const rows = await evidenceRows(db).execute(range);
  // Sorted here, since one kind at a time is found in this order anyway.
  rows.sort((a, b) => a.of - b.of || a.id - b.id);
  const evidence = {
    steps: [] as About<OpenStep>[],
    deliveries: [] as About<Delivery>[],
    observations: [] as About<Observation>[],
    bingChecks: [] as About<BingCheck>[],
  };
  for (const row of rows) {
    const { of, at, detail: reason } = row;
    const provider = row.provider!;
    if (of === STEP) {
      const step = { action: ACTIONS[row.word]!, stage: CHECK_STAGES[row.stage!]!, dueAt: at };
      evidence.steps.push({ what: step, links: row });
    } else if (of === DELIVERY) {
      const delivery = { lane: LANES[row.lane!]!, at, status: DELIVERY_STATUSES[row.word]!, provider, detail: reason };
      evidence.deliveries.push({ what: delivery, links: row });
    } else {
      const check = { at, result: CHECK_RESULTS[row.word]!, reason };
      if (of === OBSERVATION) {
        const { method, counts } = row;
        const stage = CHECK_STAGES[row.stage!]!;
        evidence.observations.push({ what: { ...check, stage, method: method!, provider, counts }, links: row });
      } else evidence.bingChecks.push({ what: check, links: row });
    }
  }
  return evidence;
}

/** Words are numbers here: what a number means depends on the kind. */
interface EvidenceRow {
  readonly of: number;
  readonly id: number;
  readonly at: number;
  readonly first: number;
  readonly members: Buffer;
  readonly lane: number | null;
  /** The action, status or result. */
  readonly word: number;
  readonly stage: number | null;
  readonly provider: string | null;
  /** The detail or the reason. */
  readonly detail: string | null;
  readonly method: string | null;
  readonly counts: string | null;
}

const evidenceRows = (db: Reader) =>
  db.prepared<EvidenceRow>("evidence_in", ({ q, t: { steps, deliveries, observations, bingChecks } }) => {
    const { placeholder } = sql;
    const isIn = (table: typeof deliveries | typeof observations | typeof bingChecks) =>
      and(
        eq(table.projectNo, placeholder("no")),
        lte(table.first, placeholder("to")),
        gte(table.last, placeholder("from")),
      );
    const none = sql<null>`null`;
    const stored = (column: unknown): SQL => sql`${column}`;
    const select = (columns: Record<keyof EvidenceRow, unknown>) => q.select(columns as Record<string, SQL>);
    const open = select({
      of: sql`0`,
      id: steps.id,
      at: steps.dueAt,
      first: steps.first,
      members: steps.members,
      lane: stored(steps.lane),
      word: stored(steps.action),
      stage: stored(steps.stage),
      provider: none,
      detail: none,
      method: none,
      counts: none,
    })
      .from(steps)
      .where(
        and(eq(steps.projectNo, placeholder("no")), eq(steps.lane, "google"), lte(steps.first, placeholder("to"))),
      );
    const sent = select({
      of: sql`1`,
      id: deliveries.id,
      at: deliveries.at,
      first: deliveries.first,
      members: deliveries.members,
      lane: stored(deliveries.lane),
      word: stored(deliveries.status),
      stage: none,
      provider: deliveries.provider,
      detail: deliveries.detail,
      method: none,
      counts: none,
    })
      .from(deliveries)
      .where(isIn(deliveries));
    const seen = select({
      of: sql`2`,
      id: observations.id,
      at: observations.at,
      first: observations.first,
      members: observations.members,
      lane: none,
      word: stored(observations.result),
      stage: stored(observations.stage),
      provider: observations.provider,
      detail: observations.reason,
      method: observations.method,
      counts: observations.counts,
    })
      .from(observations)
      .where(isIn(observations));
    const seenByBing = select({
      of: sql`3`,
      id: bingChecks.id,
      at: bingChecks.at,
      first: bingChecks.first,
      members: bingChecks.members,
      lane: none,
      word: stored(bingChecks.result),
      stage: none,
      provider: none,
      detail: bingChecks.reason,
      method: none,
      counts: none,
    })
      .from(bingChecks)
      .where(isIn(bingChecks));
    return open.unionAll(sent).unionAll(seen).unionAll(seenByBing) as never;
  });
