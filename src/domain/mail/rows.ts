import { and, asc, eq, lte } from "drizzle-orm";
import type { Engine, Reader, Tx } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import { randomText } from "../../platform/ids.ts";
import type { SealedField, SecretBox } from "../../platform/secret-box.ts";
import type { Mail } from "./mailer.ts";

type MailRow = Schema["mailQueue"]["$inferSelect"];

/** A mail that this process sends, until its lease ends. */
export type HeldMail = MailRow & { readonly lease: string };

let queued = 0;

/** Writes a mail, which belongs to the person who has its address, if there is one. @param now real time */
export async function insertMail(tx: Tx, box: SecretBox, mail: Mail, now: number): Promise<void> {
  const { mailQueue, people } = tx.t;
  const [person] = await tx.q.select({ id: people.id }).from(people).where(eq(people.email, mail.to));
  // Orders mails of the same millisecond that one process has queued.
  queued = (queued + 1) % 1_000_000;
  const id = `mail_${digits(now, 14)}${digits(queued, 6)}${randomText(10)}`;
  const sealedMail = box.seal(JSON.stringify(mail), fieldOf(id));
  const row = { id, personId: person?.id ?? null, sealedMail, createdAt: now, tries: 0, nextAt: now, lease: null };
  await tx.q.insert(mailQueue).values(row);
}

/** @throws Unsealable */
export function openMail(box: SecretBox, { id, sealedMail }: MailRow): Mail {
  return JSON.parse(box.open(sealedMail, fieldOf(id))) as Mail;
}

/** Whether a mail is due. */
export async function isMailDue(db: Reader, now: number): Promise<boolean> {
  const { mailQueue } = db.t;
  const due = db.q.select({ id: mailQueue.id }).from(mailQueue).where(lte(mailQueue.nextAt, now));
  return (await due.limit(1)).length > 0;
}

/** Claims the mail that has been due for longest. Only one of several processes gets it. @returns null when none is due */
export async function claimMail(
  db: Engine,
  { lease, leaseMs, now }: { lease: string; leaseMs: number; now: number },
): Promise<HeldMail | null> {
  return db.tx(
    async ({ q, t: { mailQueue } }) => {
      const isDue = lte(mailQueue.nextAt, now);
      const due = q.select().from(mailQueue).where(isDue).orderBy(asc(mailQueue.nextAt), asc(mailQueue.id));
      const [row] = await due.limit(1);
      if (!row) return null;
      const set = { lease, nextAt: now + leaseMs, tries: row.tries + 1 };
      const [held] = await q.update(mailQueue).set(set).where(eq(mailQueue.id, row.id)).returning();
      return held ? { ...held, lease } : null;
    },
    { serializeBy: "mail_queue" },
  );
}

/** Deletes a mail that was sent or is given up, unless another process has it by now. */
export async function deleteMail(db: Engine, mail: HeldMail): Promise<void> {
  await db.tx(async (tx) => void (await tx.q.delete(tx.t.mailQueue).where(isHeld(tx, mail))));
}

/** Gives a mail back to be sent at `nextAt`. */
export async function postponeMail(db: Engine, mail: HeldMail, nextAt: number): Promise<void> {
  await db.tx(async (tx) => {
    await tx.q.update(tx.t.mailQueue).set({ lease: null, nextAt }).where(isHeld(tx, mail));
  });
}

function isHeld({ t: { mailQueue } }: Reader, { id, lease }: HeldMail) {
  return and(eq(mailQueue.id, id), eq(mailQueue.lease, lease));
}

function digits(number: number, length: number): string {
  return String(number).padStart(length, "0");
}

function fieldOf(row: string): SealedField {
  return { table: "mail_queue", row, column: "sealed_mail" };
}
