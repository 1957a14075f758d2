import { and, type Column, eq, gte, lte, type SQL, sql, type Table } from "drizzle-orm";
import type { Reader, StepRow } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import { hasPosition } from "../../platform/link-set.ts";
import type { FactRow } from "./facts.ts";
import { ACTIONS, CHECK_RESULTS, CHECK_STAGES, DELIVERY_STATUSES, FACT_SOURCES, LANES } from "./states.ts";

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
  readonly facts: readonly FactRow[];
}

/** Something about a set of links. */
export interface About<What> {
  readonly what: What;
  readonly links: { readonly first: number; readonly members: Buffer };
}

/** What is about a link, of a list of one kind. */
export function aboutLink<What>(list: readonly About<What>[], position: number): What[] {
  const found: What[] = [];
  for (const { what, links } of list) if (hasPosition(links, position)) found.push(what);
  return found;
}

const STEP = 0;
const DELIVERY = 1;
const OBSERVATION = 2;
const BING_CHECK = 3;
const FACT = 4;

/**
 * The evidence about links between two positions of a project, of all kinds in one statement.
 * @param withOwn whether facts come with what is each link's own; lists do not show it
 */
export async function evidenceIn(
  db: Reader,
  range: { readonly no: number; readonly from: number; readonly to: number },
  withOwn: boolean,
): Promise<Evidence> {
  const rows = await evidenceRows(db, withOwn).execute(range);
  // Sorted here, since one kind at a time is found in this order anyway.
  rows.sort((a, b) => a.of - b.of || a.id - b.id);
  const evidence = {
    steps: [] as About<OpenStep>[],
    deliveries: [] as About<Delivery>[],
    observations: [] as About<Observation>[],
    bingChecks: [] as About<BingCheck>[],
    facts: [] as FactRow[],
  };
  for (const row of rows) {
    const { at, text } = row;
    const provider = row.provider!;
    const stage = CHECK_STAGES[row.stage!]!;
    switch (row.of) {
      case STEP:
        evidence.steps.push({ what: { action: ACTIONS[row.word]!, stage, dueAt: at }, links: row });
        break;
      case DELIVERY: {
        const status = DELIVERY_STATUSES[row.word]!;
        evidence.deliveries.push({ what: { lane: LANES[row.lane!]!, at, status, provider, detail: text }, links: row });
        break;
      }
      case OBSERVATION: {
        const { method, json: counts } = row;
        const result = CHECK_RESULTS[row.word]!;
        evidence.observations.push({
          what: { at, result, reason: text, stage, method: method!, provider, counts },
          links: row,
        });
        break;
      }
      case BING_CHECK:
        evidence.bingChecks.push({ what: { at, result: CHECK_RESULTS[row.word]!, reason: text }, links: row });
        break;
      case FACT: {
        const { times, json: own, first, members } = row;
        evidence.facts.push({ source: FACT_SOURCES[row.word]!, at, shared: text!, times, own, first, members });
      }
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
  /** The action, status, result or source. */
  readonly word: number;
  readonly stage: number | null;
  readonly provider: string | null;
  readonly method: string | null;
  /** The detail, the reason, or what the links have in common. */
  readonly text: string | null;
  /** The counts, or what is each link's own. */
  readonly json: string | null;
  readonly times: Buffer | null;
}

/** What a kind of evidence does not have. */
const NOTHING = Object.fromEntries(
  ["at", "word", "lane", "stage", "provider", "method", "text", "json", "times"].map((name) => [name, sql`null`]),
);

const evidenceRows = (db: Reader, withOwn: boolean) =>
  db.prepared<EvidenceRow>(withOwn ? "whole_evidence_in" : "evidence_in", ({ q, t }) => {
    const { steps, deliveries, observations, bingChecks, pageFacts } = t;
    const { placeholder } = sql;
    // The numbers of words, where the columns themselves would be read as words.
    const number = (column: Column) => sql`${column}`;
    const select = (of: number, table: Table, columns: Partial<Record<keyof EvidenceRow, Column | SQL>>) => {
      const { id, first, members } = table as typeof deliveries;
      const fields = { of: sql.raw(String(of)), id, first, members, ...NOTHING, ...columns };
      return q.select(fields as Record<string, SQL>).from(table as typeof deliveries);
    };
    const isIn = ({
      projectNo,
      first,
      last,
    }: typeof deliveries | typeof observations | typeof bingChecks | typeof pageFacts) =>
      and(eq(projectNo, placeholder("no")), lte(first, placeholder("to")), gte(last, placeholder("from")));
    // The first kind has the column whose type PostgreSQL could not tell from a null.
    const said = select(FACT, pageFacts, {
      at: pageFacts.at,
      word: number(pageFacts.source),
      text: pageFacts.shared,
      times: pageFacts.times,
      ...(withOwn ? { json: pageFacts.own } : {}),
    }).where(isIn(pageFacts));
    const open = select(STEP, steps, {
      at: steps.dueAt,
      lane: number(steps.lane),
      word: number(steps.action),
      stage: number(steps.stage),
    }).where(
      and(eq(steps.projectNo, placeholder("no")), eq(steps.lane, "google"), lte(steps.first, placeholder("to"))),
    );
    const sent = select(DELIVERY, deliveries, {
      at: deliveries.at,
      lane: number(deliveries.lane),
      word: number(deliveries.status),
      provider: deliveries.provider,
      text: deliveries.detail,
    }).where(isIn(deliveries));
    const seen = select(OBSERVATION, observations, {
      at: observations.at,
      word: number(observations.result),
      stage: number(observations.stage),
      provider: observations.provider,
      method: observations.method,
      text: observations.reason,
      json: observations.counts,
    }).where(isIn(observations));
    const seenByBing = select(BING_CHECK, bingChecks, {
      at: bingChecks.at,
      word: number(bingChecks.result),
      text: bingChecks.reason,
    }).where(isIn(bingChecks));
    return said.unionAll(open).unionAll(sent).unionAll(seen).unionAll(seenByBing) as never;
  });
