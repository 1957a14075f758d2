import { and, asc, eq, gt, isNotNull } from "drizzle-orm";
import { type SealedField, type SecretBox, Unsealable } from "../src/platform/secret-box.ts";
import type { Engine, Reader } from "./engine.ts";

/** Rows that are read at once. */
const BATCH = 500;

/**
 * The columns that hold sealed texts, each with the key of its rows. A column whose name begins `sealed_` stands here
 * (test/db/sealed-secrets.test.ts), so that the doctor opens it, and a rotation of the key reaches it.
 */
function sealedColumns({ t }: Reader) {
  const {
    authenticatorApps,
    connections,
    eventSubscriptions,
    mailQueue,
    pushConfigs,
    refreshTokens,
    watches,
    webhooks,
  } = t;
  return [
    {
      table: authenticatorApps,
      key: authenticatorApps.personId,
      column: authenticatorApps.sealedSecret,
      property: "sealedSecret",
      field: (row: string): SealedField => ({ table: "authenticator_apps", row, column: "sealed_secret" }),
    },
    {
      table: refreshTokens,
      key: refreshTokens.hash,
      column: refreshTokens.sealedSuccessor,
      property: "sealedSuccessor",
      field: (row: string): SealedField => ({ table: "refresh_tokens", row, column: "sealed_successor" }),
    },
    {
      table: connections,
      key: connections.id,
      column: connections.sealedSecret,
      property: "sealedSecret",
      field: (row: string): SealedField => ({ table: "connections", row, column: "sealed_secret" }),
    },
    {
      table: webhooks,
      key: webhooks.id,
      column: webhooks.sealedSecret,
      property: "sealedSecret",
      field: (row: string): SealedField => ({ table: "webhooks", row, column: "sealed_secret" }),
    },
    {
      table: webhooks,
      key: webhooks.id,
      column: webhooks.sealedPreviousSecret,
      property: "sealedPreviousSecret",
      field: (row: string): SealedField => ({ table: "webhooks", row, column: "sealed_previous_secret" }),
    },
    {
      table: eventSubscriptions,
      key: eventSubscriptions.id,
      column: eventSubscriptions.sealedSecret,
      property: "sealedSecret",
      field: (row: string): SealedField => ({ table: "event_subscriptions", row, column: "sealed_secret" }),
    },
    {
      table: eventSubscriptions,
      key: eventSubscriptions.id,
      column: eventSubscriptions.sealedPreviousSecret,
      property: "sealedPreviousSecret",
      field: (row: string): SealedField => ({ table: "event_subscriptions", row, column: "sealed_previous_secret" }),
    },
    {
      table: mailQueue,
      key: mailQueue.id,
      column: mailQueue.sealedMail,
      property: "sealedMail",
      field: (row: string): SealedField => ({ table: "mail_queue", row, column: "sealed_mail" }),
    },
    {
      table: pushConfigs,
      key: pushConfigs.id,
      column: pushConfigs.sealedSecrets,
      property: "sealedSecrets",
      field: (row: string): SealedField => ({ table: "push_configs", row, column: "sealed_secrets" }),
    },
    {
      table: watches,
      key: watches.id,
      column: watches.sealedHookSecret,
      property: "sealedHookSecret",
      field: (row: string): SealedField => ({ table: "watches", row, column: "sealed_hook_secret" }),
    },
  ] as const;
}

type SealedColumn = ReturnType<typeof sealedColumns>[number];

/** Names of the sealed columns, as `table.column`. */
export function sealedColumnNames(db: Reader): string[] {
  return sealedColumns(db).map(({ field }) => {
    const { table, column } = field("");
    return `${table}.${column}`;
  });
}

export interface SealedReport {
  /** How many texts there are. */
  readonly total: number;
  /** How many are sealed with another key than the one that seals now. */
  readonly old: number;
  /** What cannot be opened: the row, and why. */
  readonly unreadable: readonly string[];
}

/** Opens every sealed text. */
export async function checkSealedSecrets(db: Reader, box: SecretBox): Promise<SealedReport> {
  let [total, old] = [0, 0];
  const unreadable: string[] = [];
  for (const column of sealedColumns(db)) {
    for await (const { row, sealed } of sealedTexts(db, column)) {
      total += 1;
      const field = column.field(row);
      try {
        box.open(sealed, field);
        if (!box.isCurrent(sealed)) old += 1;
      } catch (thrown) {
        if (!(thrown instanceof Unsealable)) throw thrown;
        unreadable.push(`${field.table} ${row}: ${thrown.message}`);
      }
    }
  }
  return { total, old, unreadable };
}

/**
 * Seals with the present key every text that an old key has sealed. A text that cannot be opened stays as it is.
 * @returns how many texts it has sealed
 */
export async function resealSecrets(db: Engine, box: SecretBox): Promise<number> {
  let resealed = 0;
  for (const column of sealedColumns(db)) {
    for await (const { row, sealed } of sealedTexts(db, column)) {
      if (box.isCurrent(sealed) || !canOpen(box, sealed, column.field(row))) continue;
      const sealedNow = box.seal(box.open(sealed, column.field(row)), column.field(row));
      // Only if it is as it was read: it may have been replaced meanwhile.
      const isSame = and(eq(column.key, row), eq(column.column, sealed));
      await db.tx((tx) =>
        tx.q
          .update(column.table)
          .set({ [column.property]: sealedNow })
          .where(isSame),
      );
      resealed += 1;
    }
  }
  return resealed;
}

function canOpen(box: SecretBox, sealed: string, field: SealedField): boolean {
  try {
    box.open(sealed, field);
    return true;
  } catch (thrown) {
    if (thrown instanceof Unsealable) return false;
    throw thrown;
  }
}

async function* sealedTexts(db: Reader, { table, key, column }: SealedColumn) {
  for (let after = ""; ; ) {
    const rows = await db.q
      .select({ row: key, sealed: column })
      .from(table)
      .where(and(gt(key, after), isNotNull(column)))
      .orderBy(asc(key))
      .limit(BATCH);
    for (const { row, sealed } of rows) yield { row, sealed: sealed! };
    if (rows.length < BATCH) return;
    after = rows.at(-1)!.row;
  }
}
