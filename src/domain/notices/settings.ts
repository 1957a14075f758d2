import { and, eq, isNull } from "drizzle-orm";
import type { Reader, Tx } from "../../../db/engine.ts";
import { isNoticeKind, NOTICE_KIND_NAMES, type NoticeKind } from "../mail/layout/notice-kinds.ts";

/** The kinds of notices that an account does not get. */
export async function noticesOffOf({ q, t: { noticesOff } }: Reader, accountId: string): Promise<Set<NoticeKind>> {
  const rows = await q.select({ kind: noticesOff.kind }).from(noticesOff).where(eq(noticesOff.accountId, accountId));
  return new Set(rows.map(({ kind }) => kind).filter(isNoticeKind));
}

/** Switches a kind off or on. @param now real time */
export async function switchNotice(
  tx: Tx,
  { accountId, kind, isOn, now }: { accountId: string; kind: NoticeKind; isOn: boolean; now: number },
): Promise<void> {
  const { noticesOff } = tx.t;
  const isIts = and(eq(noticesOff.accountId, accountId), eq(noticesOff.kind, kind));
  if (isOn) await tx.q.delete(noticesOff).where(isIts);
  else await tx.q.insert(noticesOff).values({ accountId, kind, at: now }).onConflictDoNothing();
}

/** Switches a kind off for an account, unless it is deleted. @param now real time */
export async function unsubscribe(
  tx: Tx,
  { accountId, kind }: { accountId: string; kind: NoticeKind },
  now: number,
): Promise<void> {
  const { accounts } = tx.t;
  const isThere = and(eq(accounts.id, accountId), isNull(accounts.deletedAt));
  const rows = await tx.q.select({ id: accounts.id }).from(accounts).where(isThere);
  if (rows.length > 0) await switchNotice(tx, { accountId, kind, isOn: false, now });
}

/** The highest threshold that can be set. */
export const MAX_THRESHOLD = 1_000_000;

export interface NoticeSettings {
  readonly on: ReadonlySet<NoticeKind>;
  /** `credits.low` is told when the balance falls below it. */
  readonly threshold: number;
}

export async function noticeSettingsOf(db: Reader, accountId: string): Promise<NoticeSettings> {
  const { accounts } = db.t;
  const off = await noticesOffOf(db, accountId);
  const rows = await db.q.select({ threshold: accounts.lowCredits }).from(accounts).where(eq(accounts.id, accountId));
  return { on: new Set(NOTICE_KIND_NAMES.filter((kind) => !off.has(kind))), threshold: rows[0]!.threshold };
}

/** @param now real time */
export async function changeNoticeSettings(
  tx: Tx,
  { accountId, on, threshold, now }: NoticeSettings & { accountId: string; now: number },
): Promise<void> {
  for (const kind of NOTICE_KIND_NAMES) await switchNotice(tx, { accountId, kind, isOn: on.has(kind), now });
  const { accounts } = tx.t;
  await tx.q.update(accounts).set({ lowCredits: threshold }).where(eq(accounts.id, accountId));
}
