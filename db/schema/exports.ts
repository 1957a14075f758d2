import type { Kit } from "../dialect.ts";

/** Exports of all that an account holds: made in the background, kept for a few days. */
export function exportTables(k: Kit) {
  /** The newest export of an account; a new one replaces it. */
  const exports = k.table(
    "exports",
    {
      accountId: k.text("account_id").primaryKey(),
      /** Who asked for it: it has what only this person sees, too. */
      personId: k.text("person_id").notNull(),
      id: k.text("id").notNull(),
      requestedAt: k.big("requested_at").notNull(),
      /** The process that makes it; null once it is ready. */
      lease: k.text("lease"),
      leaseUntil: k.big("lease_until"),
      /** Attempts that failed or whose process ended. */
      failures: k.int("failures").notNull(),
      /** For its owner to see how far it is; the total is an estimate. */
      rowsDone: k.int("rows_done").notNull(),
      rowsTotal: k.int("rows_total").notNull(),
      completedAt: k.big("completed_at"),
      /** When the file is deleted; null until it is ready. */
      expiresAt: k.big("expires_at"),
      bytes: k.big("bytes"),
    },
    (t) => [k.unique("exports_id").on(t.id), k.index("exports_open").on(t.completedAt)],
  );

  /** The file of an export, in pieces: it is written and read without ever being whole in memory. */
  const exportChunks = k.table(
    "export_chunks",
    {
      accountId: k.text("account_id").notNull(),
      exportId: k.text("export_id").notNull(),
      /** 0, 1, 2… */
      no: k.int("no").notNull(),
      data: k.bytes("data").notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.accountId, t.exportId, t.no] })],
  );

  return { exports, exportChunks };
}
