import { eq, sql } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { bucketOf, newId } from "../../platform/ids.ts";
import { recordSecurityEvent } from "../security-log/security-log.ts";
import { addressKeptUntil } from "./address-undos.ts";
import { normaliseEmail } from "./email.ts";

export interface NewAccount {
  readonly email: string;
  readonly name?: string;
  /** Without one, nobody can sign in by password. */
  readonly passwordHash?: string;
  /** When a mailed link verified the address. */
  readonly verifiedAt?: number;
  readonly now: number;
}

/** @throws Error when the e-mail address is invalid, already has an account, or is kept for one that had it before */
export async function createAccount(tx: Tx, account: NewAccount) {
  const { email, name, passwordHash = null, verifiedAt = null, now } = account;
  const id = newId("acc");
  const address = normaliseEmail(email);
  if (address === null) throw new Error("This is not an e-mail address.");
  if ((await addressKeptUntil(tx, address, { now })) !== null)
    throw new Error(`${address} belonged to another account, which can still take it back.`);
  const [row] = await tx.q
    .insert(tx.t.accounts)
    .values({
      id,
      bucket: bucketOf(id),
      email: address,
      name: name ?? address.split("@")[0]!,
      credits: 0,
      entries: 0,
      createdAt: now,
      passwordHash,
      verifiedAt,
    })
    .onConflictDoNothing()
    .returning();
  if (!row) throw new Error(`There is already an account for ${address}.`);
  return row;
}

/** The account with an id that comes from a credential or a project, and so must exist. @throws Error when it does not */
export async function accountById(db: Reader, id: string) {
  const account = await findAccount(db, id);
  if (!account) throw new Error(`account ${id} is gone`);
  return account;
}

export type Account = Reader["t"]["accounts"]["$inferSelect"];

export async function findAccount(db: Reader, id: string) {
  const query = db.prepared("account", ({ q, t: { accounts } }) =>
    q
      .select()
      .from(accounts)
      .where(eq(accounts.id, sql.placeholder("id"))),
  );
  const [row] = await query.execute({ id });
  return row ?? null;
}

export async function accountByEmail(db: Reader, email: string) {
  const address = normaliseEmail(email);
  if (address === null) return null;
  const [row] = await db.q.select().from(db.t.accounts).where(eq(db.t.accounts.email, address));
  return row ?? null;
}

/** Code points of the longest name that users can give their account. */
export const ACCOUNT_NAME_LENGTH = 80;

/** Gives an account another name, and writes so to its log. */
export async function renameAccount(
  tx: Tx,
  { accountId, name, ip, now }: { accountId: string; name: string; ip: string; now: number },
): Promise<void> {
  const { accounts } = tx.t;
  await tx.q.update(accounts).set({ name }).where(eq(accounts.id, accountId)).returning({ id: accounts.id });
  await recordSecurityEvent(tx, { accountId, kind: "account_renamed", subject: name, ip, now });
}
