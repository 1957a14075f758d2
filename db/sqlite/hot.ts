import type Database from "better-sqlite3";
import type { Claim, Engine, LinkBatch, LinkPatch, NewStep, Tx } from "../engine.ts";
import { linkColumns, stepColumns, withNumbers, withWords } from "../hot-columns.ts";
import { schema } from "../schema.sqlite.ts";
import { LINK_STATES, numberOf } from "../words.ts";
import { spansOf } from "./id-spans.ts";

const STEP = stepColumns(schema);
const LINK = linkColumns(schema);

export type Hot = Pick<Tx, "held" | "insertLinks" | "insertSteps" | "moveLinks"> & Pick<Engine, "claimSteps">;

/** The most frequent statements, prepared once; all others go through drizzle. */
export function hotStatements(writer: Database.Database): Hot {
  const prepared = new Map<string, Database.Statement>();
  const prepare = (text: string) => {
    let statement = prepared.get(text);
    if (!statement) {
      statement = writer.prepare(text);
      prepared.set(text, statement);
    }
    return statement;
  };
  const stepKeys = Object.keys(STEP) as (keyof NewStep)[];
  const stepNames = Object.values(STEP)
    .map(({ name }) => name)
    .join(", ");
  const stepFields = stepKeys.map((key) => `${STEP[key].name} AS "${key}"`).join(", ");

  return {
    held: (query) => query,
    async insertLinks({ no, bucket }, urls) {
      prepare(
        `INSERT INTO links (id, bucket, url, state)
         SELECT @no * 16384 + key, @bucket, value, 0 FROM json_each(@urls)`,
      ).run({ no, bucket, urls: urls.jsonb });
    },
    async insertSteps(steps) {
      const insert = prepare(
        `INSERT INTO steps (${stepNames}) VALUES (${stepKeys.map((key) => `@${key}`).join(", ")})`,
      );
      for (const step of steps) insert.run(withNumbers(step));
    },
    // A range and not a list: SQLite changes the rows of a range as it finds them, and for a list it finds all of them first.
    async moveLinks({ ids, from, patch }: LinkBatch) {
      const keys = Object.keys(patch) as (keyof LinkPatch)[];
      const sets = keys.map((key) => `${LINK[key].name} = @${key}`).join(", ");
      const move = prepare(
        `UPDATE links SET ${sets}
         WHERE id BETWEEN @first AND @last AND state = @from AND substr(@chosen, id - @first + 1, 1) = x'01'`,
      );
      const values = {
        ...patch,
        ...(patch.state === undefined ? {} : { state: numberOf(LINK_STATES, patch.state) }),
        from: numberOf(LINK_STATES, from),
      };
      let moved = 0;
      for (const span of spansOf(ids)) moved += move.run({ ...values, ...span }).changes;
      return moved;
    },
    async claimSteps({ priority, dueBy, now, lease, leaseUntil, limit }: Claim) {
      const claimed = prepare(
        `UPDATE steps SET lease = @lease, lease_until = @leaseUntil
         WHERE id IN (
           SELECT id FROM steps
           WHERE priority = @priority AND due_at <= @dueBy AND (lease_until IS NULL OR lease_until <= @now)
           ORDER BY due_at LIMIT @limit)
         RETURNING id, lease, lease_until AS "leaseUntil", intent_at AS "intentAt", ${stepFields}`,
      ).all({ priority, dueBy, now, lease, leaseUntil, limit });
      return withWords(claimed as Parameters<typeof withWords>[0]);
    },
  };
}
