import type { Table } from "drizzle-orm";
import { type Claim, LATE_MS, type LinkBatch, type LinkPatch, type NewStep, type StepRow, type Tx } from "../engine.ts";
import { linkColumns, stepColumns, withNumbers, withWords } from "../hot-columns.ts";
import { schema } from "../schema.pg.ts";
import { LINK_STATES, numberOf } from "../words.ts";
import type { Connection } from "./connection.ts";

const STEP = stepColumns(schema);
const LINK = linkColumns(schema);

const stepKeys = Object.keys(STEP) as (keyof NewStep)[];
const stepNames = Object.values(STEP)
  .map(({ name }) => name)
  .join(", ");
const stepFields = stepKeys.map((key) => `s.${STEP[key].name} AS "${key}"`).join(", ");
const stepArrays = stepKeys.map((key, at) => `$${at + 1}::${STEP[key].type}[]`).join(", ");

/** A selecting query of drizzle on PostgreSQL. */
interface Lockable<Query> {
  for(strength: "share", options: { of: readonly Table[] }): Query;
}

/** The most frequent statements; each is one round trip for any number of rows. */
export function hotStatements(connection: Connection): Pick<Tx, "held" | "insertLinks" | "insertSteps" | "moveLinks"> {
  return {
    held: (query, ...of) => (query as typeof query & Lockable<typeof query>).for("share", { of }),
    async insertLinks({ no, bucket }, urls) {
      await connection.query({
        name: "insert_links",
        text: `INSERT INTO links (id, bucket, url, state)
               SELECT $1::bigint * 16384 + place - 1, $2::smallint, url, 0
               FROM unnest($3::text[]) WITH ORDINALITY AS given (url, place)`,
        values: [no, bucket, urls.toArray()],
      });
    },
    async insertSteps(steps) {
      if (steps.length === 0) return;
      const rows = steps.map(withNumbers);
      await connection.query({
        name: "insert_steps",
        text: `INSERT INTO steps (${stepNames}) SELECT * FROM unnest(${stepArrays})`,
        values: stepKeys.map((key) => rows.map((row) => row[key])),
      });
    },
    async moveLinks({ ids, from, patch }: LinkBatch) {
      const keys = Object.keys(patch) as (keyof LinkPatch)[];
      const sets = keys.map((key, at) => `${LINK[key].name} = $${at + 3}::${LINK[key].type}`).join(", ");
      const value = (key: keyof LinkPatch) => (key === "state" ? numberOf(LINK_STATES, patch.state!) : patch[key]);
      const { rowCount } = await connection.query({
        name: `move_links_${keys.join("_")}`,
        text: `UPDATE links SET ${sets} WHERE id = ANY($1::bigint[]) AND state = $2`,
        values: [ids, numberOf(LINK_STATES, from), ...keys.map(value)],
      });
      return rowCount ?? 0;
    },
  };
}

/** Due steps that nobody holds. */
const FREE = "priority = $1 AND due_at <= $2 AND (lease_until IS NULL OR lease_until <= $3)";

/**
 * Leases due steps. It runs at READ COMMITTED, where SKIP LOCKED skips steps that another worker is just claiming; a
 * serializable transaction would fail. Two claims at the same moment do not see each other's leases: the steps of an account go
 * to the claim that locks the first of them. A claim looks at four times as many steps as it may lease, so that up to four
 * claims at the same moment find some.
 */
export async function claimSteps(connection: Connection, claim: Claim): Promise<StepRow[]> {
  const { priority, dueBy, now, lease, leaseUntil, limit } = claim;
  const { rows } = await connection.query({
    name: "claim_steps",
    text: `WITH elsewhere AS MATERIALIZED (
             SELECT ARRAY(
               SELECT (SELECT account_id FROM projects WHERE no = held.project_no)
               FROM (SELECT DISTINCT project_no FROM steps
                     WHERE lease_until > $3 AND NOT starts_with(lease, $7)) AS held) AS accounts),
           found AS MATERIALIZED (
             SELECT *, row_number() OVER () AS place
             FROM (SELECT id, (SELECT account_id FROM projects WHERE no = d.project_no) AS account
                   FROM steps d
                   WHERE ${FREE} AND (due_at <= $8 OR coalesce(
                     (SELECT account_id FROM projects WHERE no = d.project_no)
                       <> ALL ((SELECT accounts FROM elsewhere)::text[]), true))
                   ORDER BY due_at LIMIT 4 * $4) AS earliest),
           locked AS MATERIALIZED (
             SELECT id, account FROM steps JOIN found USING (id) WHERE ${FREE}
             ORDER BY place LIMIT $4 FOR UPDATE OF steps SKIP LOCKED),
           lost AS (
             SELECT account
             FROM (SELECT DISTINCT ON (account) id, account FROM found ORDER BY account, place) AS first
             WHERE account IS NOT NULL AND id NOT IN (SELECT id FROM locked))
           UPDATE steps s SET lease = $5, lease_until = $6 FROM locked
           WHERE s.id = locked.id AND (due_at <= $8 OR coalesce(account NOT IN (SELECT account FROM lost), true))
           RETURNING s.id, s.lease, s.lease_until AS "leaseUntil", s.intent_at AS "intentAt", ${stepFields}`,
    values: [priority, dueBy, now, limit, lease, leaseUntil, workerOf(lease), dueBy - LATE_MS],
  });
  return withWords(rows);
}

/** The prefix of all leases of the same worker. */
function workerOf(lease: string): string {
  return lease.replace(/\d+$/, "");
}
