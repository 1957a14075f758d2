import { and, count, desc, eq, gt, gte, inArray, isNull, lte, or, type SQL } from "drizzle-orm";
import type { Engine, Reader, Tx } from "../../../db/engine.ts";
import type { Schema } from "../../../db/schema.ts";
import { DAY, HOUR } from "../../platform/clock.ts";
import { newId } from "../../platform/ids.ts";
import { recordEvents } from "../events/record.ts";

export type ApprovalRow = Schema["approvals"]["$inferSelect"];

/** How long a person has to decide, and an approved call to be made; in ms. */
export const APPROVAL_VALID = DAY;

/** Approvals that a credential can wait for at the same time. */
export const MAX_OPEN = 10;

/** How long an approval that was withdrawn or replaced counts as one that its credential waits for, in ms. */
const ENDED_COUNTS = HOUR;

/** The time between two mails about approvals of one holder, in ms. */
const MAIL_GAP = HOUR;

/** Age at which an approval that has ended is deleted, in ms. */
const KEPT = 90 * DAY;

/** A call that needs an approval: of this credential, with this input, which does this. */
export interface ApprovedCall {
  readonly accountId: string;
  readonly credential: string;
  readonly operation: string;
  readonly inputHash: string;
  /** SHA-256 of what it does: an input may name a list that others change. */
  readonly digest: string;
}

export interface NewApproval extends ApprovedCall {
  readonly credentialName: string;
  /** For whom the credential asks. */
  readonly personId?: string | null;
  readonly holder: string;
  readonly credits: number;
  /** JSON of a SpendingPurpose. */
  readonly about: string;
  readonly now: number;
}

/**
 * Asks the person of the account to approve a call. A repeated call gets the same approval, or a new one once it is over. The call
 * gets a new one, too, when it would cost more by now or do something else: that replaces the open one, since nobody can use it.
 * An event tells of the question, and the person is mailed about it at most once an hour for each holder.
 *
 * @returns null when the credential waits for MAX_OPEN others already
 */
export async function requestApproval(tx: Tx, { now, ...request }: NewApproval): Promise<ApprovalRow | null> {
  const { accountId, credential, holder, credits } = request;
  const { approvals } = tx.t;
  const isOpen = and(eq(approvals.status, "open"), gt(approvals.expiresAt, now));
  const open = await tx.q
    .select()
    .from(approvals)
    .where(and(isOfCall(tx, request), isOpen));
  const same = open.find((one) => one.digest === request.digest && one.credits >= credits);
  if (same) return same;
  // What has ended counts for a while, so that asking and withdrawing, or asking for one list after another, does not get around
  // MAX_OPEN.
  const hasEnded = and(
    inArray(approvals.status, ["withdrawn", "replaced"]),
    gt(approvals.createdAt, now - ENDED_COUNTS),
  );
  const [waiting] = await tx.q
    .select({ open: count() })
    .from(approvals)
    .where(and(eq(approvals.accountId, accountId), eq(approvals.credential, credential), or(isOpen, hasEnded)));
  const freed = open.filter(({ createdAt }) => createdAt <= now - ENDED_COUNTS).length;
  if (waiting!.open - freed >= MAX_OPEN) return null;
  const replaced = open.map(({ id }) => id);
  await end(tx, accountId, { status: "replaced", which: inArray(approvals.id, replaced), now });
  const id = newId("apr");
  const expiresAt = now + APPROVAL_VALID;
  const [row] = await tx.q
    .insert(approvals)
    .values({ ...request, id, status: "open", createdAt: now, expiresAt })
    .returning();
  const isMailed = await claimMail(tx, { accountId, holder, now });
  await recordEvents(tx, accountId, [requestedEvent(row!, isMailed)], now);
  return row!;
}

function requestedEvent({ id, credential, credentialName, operation, credits }: ApprovalRow, isMailed: boolean) {
  const data = { approval_id: id, credential_id: credential, credential_name: credentialName, operation, credits };
  return { type: "spending.approval_requested", data: { ...data, is_mailed: isMailed } } as const;
}

/** @returns whether nobody was mailed about this holder within the last hour; the caller then mails */
async function claimMail(
  tx: Tx,
  { accountId, holder, now }: { accountId: string; holder: string; now: number },
): Promise<boolean> {
  const { budgets } = tx.t;
  const isIts = and(eq(budgets.accountId, accountId), eq(budgets.holder, holder));
  const [budget] = await tx.q.select({ askedAt: budgets.askedAt }).from(budgets).where(isIts);
  const last = budget?.askedAt ?? null;
  if (last !== null && Math.abs(now - last) < MAIL_GAP) return false;
  const set = { askedAt: now };
  await tx.q
    .insert(budgets)
    .values({ accountId, holder, ...set })
    .onConflictDoUpdate({ target: [budgets.accountId, budgets.holder], set });
  return true;
}

/** Uses up the approval of a call, if there is one that covers its cost. @returns whether there was */
export async function consumeApproval(
  tx: Tx,
  call: ApprovedCall,
  { credits, projectId, now }: { credits: number; projectId: string | null; now: number },
): Promise<boolean> {
  const { approvals } = tx.t;
  const isUsable = and(
    isOfCall(tx, call),
    eq(approvals.digest, call.digest),
    eq(approvals.status, "approved"),
    gte(approvals.credits, credits),
    gt(approvals.expiresAt, now),
  );
  const [found] = await tx.q.select({ id: approvals.id }).from(approvals).where(isUsable).limit(1);
  if (!found) return false;
  const used = await tx.q
    .update(approvals)
    .set({ status: "used", usedAt: now, projectId })
    .where(and(eq(approvals.id, found.id), eq(approvals.status, "approved")))
    .returning({ id: approvals.id });
  return used.length > 0;
}

/** Whether an approval is for a call of this credential with this input, whatever it does. */
function isOfCall(
  { t: { approvals } }: Reader,
  { accountId, credential, operation, inputHash }: Omit<ApprovedCall, "digest">,
) {
  return and(
    eq(approvals.accountId, accountId),
    eq(approvals.credential, credential),
    eq(approvals.operation, operation),
    eq(approvals.inputHash, inputHash),
  );
}

/**
 * The decision of a person. An approved call can be made within APPROVAL_VALID from now on; a task that waits for
 * it is due at once.
 * @returns `unknown`: the account has none with this id; `over`: it was decided before, or nobody did in time
 */
export async function decideApproval(
  tx: Tx,
  accountId: string,
  { id, personId = null, isApproved, now }: { id: string; personId?: string | null; isApproved: boolean; now: number },
): Promise<"decided" | "unknown" | "over"> {
  const { approvals } = tx.t;
  const isIts = and(eq(approvals.accountId, accountId), eq(approvals.id, id));
  const set = isApproved
    ? { status: "approved", decidedAt: now, decidedBy: personId, expiresAt: now + APPROVAL_VALID }
    : { status: "refused", decidedAt: now, decidedBy: personId };
  const [decided] = await tx.q
    .update(approvals)
    .set(set)
    .where(and(isIts, eq(approvals.status, "open"), gt(approvals.expiresAt, now)))
    .returning();
  if (decided) {
    await wakeTasks(tx, [id], now);
    const { credential, operation, credits } = decided;
    const data = { approval_id: id, credential_id: credential, operation, credits, approved: isApproved };
    await recordEvents(tx, accountId, [{ type: "spending.approval_decided", data }], now);
    return "decided";
  }
  const rows = await tx.q.select({ id: approvals.id }).from(approvals).where(isIts);
  return rows.length > 0 ? "over" : "unknown";
}

/** Ends an approval that its caller does not wait for any more: nobody can give or use it after. One that is over stays as it is. */
export async function withdrawApproval(
  tx: Tx,
  accountId: string,
  { id, now }: Pick<ApprovalRow, "id"> & { now: number },
): Promise<void> {
  await end(tx, accountId, { status: "withdrawn", which: eq(tx.t.approvals.id, id), now });
}

/** Ends what a key or grant has asked for and not done, in the transaction that ends its access. Its tasks end, too. */
export async function endApprovalsOf(
  tx: Tx,
  { accountId, credential, now }: Pick<ApprovedCall, "accountId" | "credential"> & { now: number },
): Promise<void> {
  await end(tx, accountId, { status: "ended", which: eq(tx.t.approvals.credential, credential), now });
}

/** Takes back what a person has approved and nobody has used yet, in the transaction in which the person may approve no more. */
export async function endApprovalsBy(
  tx: Tx,
  { accountId, personId, now }: { readonly accountId: string; readonly personId: string; readonly now: number },
): Promise<void> {
  await end(tx, accountId, { status: "ended", which: eq(tx.t.approvals.decidedBy, personId), now });
}

async function end(
  tx: Tx,
  accountId: string,
  { status, which, now }: { status: "withdrawn" | "replaced" | "ended"; which: SQL; now: number },
): Promise<void> {
  const { approvals } = tx.t;
  const isIts = and(eq(approvals.accountId, accountId), which);
  const ended = await tx.q
    .update(approvals)
    .set({ status })
    .where(and(isIts, inArray(approvals.status, ["open", "approved"]), gt(approvals.expiresAt, now)))
    .returning({ id: approvals.id });
  const ids = ended.map(({ id }) => id);
  // Whoever withdraws an approval goes on by itself.
  if (status !== "withdrawn") await wakeTasks(tx, ids, now);
}

/** Makes the tasks due that wait for approvals. */
async function wakeTasks(tx: Tx, approvalIds: readonly string[], now: number): Promise<void> {
  if (approvalIds.length === 0) return;
  const { tasks } = tx.t;
  await tx.q
    .update(tasks)
    .set({ resumeAt: now })
    .where(and(inArray(tasks.approvalId, [...approvalIds]), isNull(tasks.expiresAt)))
    .returning({ id: tasks.id });
}

export async function approvalOf(db: Reader, accountId: string, id: string): Promise<ApprovalRow | null> {
  const { approvals } = db.t;
  const [row] = await db.q
    .select()
    .from(approvals)
    .where(and(eq(approvals.accountId, accountId), eq(approvals.id, id)));
  return row ?? null;
}

/** The approvals of an account, newest first. */
export function approvalsOf(db: Reader, accountId: string, limit: number): Promise<ApprovalRow[]> {
  const { approvals } = db.t;
  return db.q
    .select()
    .from(approvals)
    .where(eq(approvals.accountId, accountId))
    .orderBy(desc(approvals.createdAt), desc(approvals.id))
    .limit(limit);
}

/** `replaced`: the call would do something else by now. `ended`: its credential has no access any more. */
export type ApprovalStatus = "open" | "approved" | "refused" | "used" | "withdrawn" | "replaced" | "ended" | "expired";

/** As its person sees it: one that nobody decided, or used, in time has expired. */
export function statusOf(
  { status, expiresAt }: Pick<ApprovalRow, "status" | "expiresAt">,
  now: number,
): ApprovalStatus {
  if ((status === "open" || status === "approved") && expiresAt <= now) return "expired";
  return status as ApprovalStatus;
}

/** Rows that one transaction deletes. */
const BATCH = 500;

/** Deletes approvals that ended long ago. Any number of processes may run it. */
export async function purgeApprovals(db: Engine, now: number): Promise<void> {
  for (let gone = BATCH; gone === BATCH; ) gone = await db.tx((tx) => purgeBatch(tx, now));
}

async function purgeBatch({ q, t: { approvals } }: Tx, now: number): Promise<number> {
  const isOld = lte(approvals.expiresAt, now - KEPT);
  const old = q.select({ id: approvals.id }).from(approvals).where(isOld).limit(BATCH);
  return (await q.delete(approvals).where(inArray(approvals.id, old)).returning({ id: approvals.id })).length;
}
