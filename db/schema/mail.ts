import type { Kit } from "../dialect.ts";

/** Mail that waits to be sent, and which notices accounts get. */
export function mailTables(k: Kit) {
  /** Written by the transaction that causes the mail, and deleted when it is sent. */
  const mailQueue = k.table(
    "mail_queue",
    {
      /** It sorts by the time of queueing, and is part of the Message-ID. */
      id: k.text("id").primaryKey(),
      /** The person whose address the mail goes to; null for an address that is nobody's. */
      personId: k.text("person_id"),
      /** JSON of the recipient and the message, which may contain links that let somebody in. */
      sealedMail: k.text("sealed_mail").notNull(),
      /** Real time. */
      createdAt: k.big("created_at").notNull(),
      /** How often sending it was begun. */
      tries: k.small("tries").notNull(),
      /** Real time of the next try. While a process sends the mail, it is the time from which on another process may. */
      nextAt: k.big("next_at").notNull(),
      /** The claim of the process that sends it. */
      lease: k.text("lease"),
    },
    (t) => [k.index("mail_queue_due").on(t.nextAt), k.index("mail_queue_person").on(t.personId)],
  );

  /** A kind of notices that an account has switched off. */
  const noticesOff = k.table(
    "notices_off",
    {
      accountId: k.text("account_id").notNull(),
      /** One of NOTICE_KINDS. */
      kind: k.text("kind").notNull(),
      /** Real time. */
      at: k.big("at").notNull(),
    },
    (t) => [k.primaryKey({ columns: [t.accountId, t.kind] })],
  );

  /** An account that was told of completed projects in the last hour; later completions wait for the next mail. */
  const noticeDigests = k.table(
    "notice_digests",
    {
      accountId: k.text("account_id").primaryKey(),
      /** Number of the newest event that it was told of. */
      afterNo: k.big("after_no").notNull(),
      /** Real time of the next mail. */
      dueAt: k.big("due_at").notNull(),
    },
    (t) => [k.index("notice_digests_due").on(t.dueAt)],
  );

  return { mailQueue, noticesOff, noticeDigests };
}
