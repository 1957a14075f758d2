import { and, desc, eq, inArray, isNotNull, isNull, lt, notInArray, or, type SQL, sql } from "drizzle-orm";
import type { Engine, Reader, Tx } from "../../../db/engine.ts";
import { DAY } from "../../platform/clock.ts";
import { type Doer, isPerson, OPERATOR, PERSON } from "../../platform/principal.ts";

/** The events of the security log of an account and its people, with the text that the log shows before the subject. */
export const SECURITY_EVENTS = {
  account_opened: "Account opened",
  account_renamed: "Name of the account changed",
  account_disabled: "Account disabled by the operator",
  account_enabled: "Account enabled by the operator",
  member_invited: "Member invited",
  invitation_revoked: "Invitation taken back",
  member_joined: "Member joined",
  role_changed: "Role changed",
  member_left: "Member left",
  member_removed: "Member removed",
  signed_in: "Signed in",
  sign_in_failing: "Many failed sign-ins",
  password_set: "Password set",
  factor_asked: "First step of a sign-in; the second was asked for",
  passkey_added: "Passkey added",
  passkey_removed: "Passkey removed",
  passkey_refused: "Passkey refused: its counter went back, so a copy of it may exist",
  app_added: "Authenticator app added",
  app_removed: "Authenticator app removed",
  recovery_codes_made: "Recovery codes made",
  recovery_code_used: "Recovery code used",
  second_step_on: "Second step required at sign-in",
  second_step_off: "Second step no longer required at sign-in",
  sign_in_link_made: "Link to sign in made",
  issuer_connected: "Sign-in by an issuer connected",
  issuer_disconnected: "Sign-in by an issuer disconnected",
  removal_requested: "Removal of lost passkeys and codes requested",
  removal_cancelled: "Removal of passkeys and codes cancelled",
  factors_removed: "All passkeys and codes removed after seven days",
  address_change_requested: "Change of the e-mail address requested",
  address_changed: "E-mail address changed",
  address_change_undone: "Change of the e-mail address undone",
  deletion_requested: "Deletion of the account requested",
  deletion_cancelled: "Deletion of the account cancelled",
  session_ended: "Session ended",
  key_created: "API key created",
  key_renamed: "API key renamed",
  key_end_changed: "End of an API key changed",
  key_revoked: "API key revoked",
  webhook_made: "Webhook made",
  webhook_changed: "Webhook changed",
  webhook_secret_replaced: "Secret of a webhook replaced",
  webhook_deleted: "Webhook deleted",
  webhook_disabled: "Webhook disabled",
  subscription_made: "Subscription to events made",
  subscription_ended: "Subscription to events ended",
  share_made: "Results shared by a link",
  share_ended: "Share of results ended",
  app_connected: "App connected",
  agent_connected: "Agent connected",
  agent_declined: "Agent declined",
  claim_code_wrong: "Wrong code for an agent",
  claim_locked: "Agent locked after five wrong codes",
  disconnected: "App or agent disconnected",
  access_expired: "App or agent no longer connected: its access has expired",
  connection_made: "Search Console or Bing Webmaster connected",
  connection_renewed: "Search Console or Bing Webmaster connected again",
  connection_ended: "Search Console or Bing Webmaster disconnected",
  limits_changed: "Spending limits changed",
  approval_given: "Call approved",
  approval_refused: "Call refused",
  token_reused: "Disconnected: a used token was presented again",
} as const;

/** What else changes in an account: its activity has these besides, and its security log has not. */
export const WORK_EVENTS = {
  project_made: "Project made",
  check_made: "Check made",
  links_cancelled: "Unsent URLs cancelled",
  project_changed: "Project renamed, tagged or archived",
  watch_made: "Watch made",
  watch_changed: "Watch changed",
  hook_made: "Publish hook of a watch made, or its secret replaced",
  hook_removed: "Publish hook of a watch removed",
  site_added: "Site added",
  site_verified: "Site verified",
  site_key_replaced: "IndexNow key of a site replaced",
  push_secret_replaced: "Secret of the push address of a site replaced",
  payment_opened: "Payment of credits begun",
  direct_payment_made: "Credits paid by a stablecoin",
  notices_changed: "Notices changed",
  export_requested: "Export of everything requested",
} as const;

export const CHANGES = { ...SECURITY_EVENTS, ...WORK_EVENTS } as const;

export type SecurityEvent = keyof typeof SECURITY_EVENTS;
export type Change = keyof typeof CHANGES;

/** How long events are kept, in ms. */
export const SECURITY_LOG_KEPT = 400 * DAY;

/** Most rows that one transaction deletes; it blocks other writers for a few ms. */
const BATCH = 500;

/** Whose log an event is written to: of an account, by a person where one is known, or of a person. */
type Whose = ({ readonly accountId: string } & Partial<Undefinable<Doer>>) | { readonly personId: string };
type Undefinable<T> = { readonly [Name in keyof T]: T[Name] | undefined };

interface Recorded {
  readonly kind: Change;
  readonly subject: string;
  readonly target?: string | undefined;
  readonly ip?: string | undefined;
  readonly now: number;
}

/** Writes a change to the log of an account, or of how a person signs in, in the transaction of what happened. */
export async function recordSecurityEvent(tx: Tx, event: Whose & Recorded): Promise<void> {
  const { personId = null, kind, target = null, ip = null, now } = event;
  const isOfAccount = "accountId" in event;
  const accountId = isOfAccount ? event.accountId : null;
  const credential = (isOfAccount && event.credential) || null;
  const role = accountId !== null && personId !== null ? sql`(${roleOf(tx, accountId, personId)})` : null;
  const subject = event.subject.slice(0, 200);
  await tx.q
    .insert(tx.t.securityEvents)
    .values({ accountId, personId, role, credential, at: now, kind, subject, target, ip });
}

function roleOf({ q, t: { members } }: Tx, accountId: string, personId: string) {
  const isIts = and(eq(members.accountId, accountId), eq(members.personId, personId));
  return q.select({ role: members.role }).from(members).where(isIts);
}

interface Page {
  readonly limit: number;
  readonly offset: number;
}

type Row = Reader["t"]["securityEvents"]["$inferSelect"];

/** A change, with the words that its ids stand for now. */
export interface RecordedChange extends Row {
  /** Of the person who did it; null: nobody who is known, or who has left all accounts. */
  readonly email: string | null;
  /** Of the person to whom it happened. */
  readonly targetEmail: string | null;
  /** Of the key, app or agent that did it. */
  readonly credentialName: string | null;
}

export interface Changes {
  readonly rows: readonly RecordedChange[];
  readonly hasMore: boolean;
}

/**
 * A page of the security log that a person sees in an account, newest first: of how the person signs in and what the person did, and
 * for whoever may manage people, of the account.
 */
export async function securityEventsOf(
  db: Reader,
  {
    accountId,
    personId,
    isWhole,
  }: { readonly accountId: string; readonly personId: string; readonly isWhole: boolean },
  page: Page,
): Promise<Changes> {
  const { securityEvents: of } = db.t;
  const isOwn = and(eq(of.personId, personId), isNull(of.accountId));
  const isBy = isWhole ? undefined : eq(of.personId, personId);
  const isOfAccount = and(eq(of.accountId, accountId), isBy, notInArray(of.kind, Object.keys(WORK_EVENTS)));
  return changes(db, or(isOfAccount, isOwn), page);
}

interface ActivityPage extends Page {
  readonly personId?: string | undefined;
  /** By these, PERSON or OPERATOR; null: by any. */
  readonly credentials: readonly string[] | null;
}

/** A page of what has changed in an account, newest first. */
export function activityOf(
  db: Reader,
  accountId: string,
  { personId, credentials, ...page }: ActivityPage,
): Promise<Changes> {
  const { securityEvents: of } = db.t;
  const isBy = personId === undefined ? undefined : eq(of.personId, personId);
  const isWith = credentials === null ? undefined : isByCredential(db, credentials);
  return changes(db, and(eq(of.accountId, accountId), isBy, isWith), page);
}

function isByCredential({ t: { securityEvents: of } }: Reader, credentials: readonly string[]) {
  const isOfNone = isNull(of.credential);
  return or(
    inArray(of.credential, [...credentials]),
    credentials.includes(PERSON) ? and(isOfNone, isNotNull(of.personId)) : undefined,
    credentials.includes(OPERATOR) ? and(isOfNone, isNull(of.personId)) : undefined,
  );
}

async function changes(db: Reader, isMeant: SQL | undefined, { limit, offset }: Page): Promise<Changes> {
  const { securityEvents: of } = db.t;
  const query = db.q.select().from(of).where(isMeant).orderBy(desc(of.id));
  const rows = await query.limit(limit + 1).offset(offset);
  return { rows: await named(db, rows.slice(0, limit)), hasMore: rows.length > limit };
}

async function named(db: Reader, rows: readonly Row[]): Promise<RecordedChange[]> {
  const { people, apiKeys, grants } = db.t;
  const ids = new Set(rows.flatMap(({ personId, target }) => [personId ?? "", target ?? ""]));
  const persons = [...ids].filter(isPerson);
  const credentials = [...new Set(rows.flatMap(({ credential }) => credential ?? []))];
  const [emails, keys, connected] = await Promise.all([
    db.q.select({ id: people.id, word: people.email }).from(people).where(inArray(people.id, persons)),
    db.q.select({ id: apiKeys.id, word: apiKeys.name }).from(apiKeys).where(inArray(apiKeys.id, credentials)),
    db.q.select({ id: grants.id, word: grants.name }).from(grants).where(inArray(grants.id, credentials)),
  ]);
  const words = new Map([...emails, ...keys, ...connected].map(({ id, word }) => [id, word]));
  const wordOf = (id: string | null) => (id === null ? null : (words.get(id) ?? null));
  return rows.map((row) => ({
    ...row,
    email: wordOf(row.personId),
    targetEmail: row.target?.includes("@") ? row.target : wordOf(row.target),
    credentialName: wordOf(row.credential),
  }));
}

/** The subject as the reader may see it: a connection is named after an address, too. */
export function subjectOf({ kind, subject, targetEmail }: RecordedChange, withAddresses: boolean): string | null {
  if (withAddresses) return [targetEmail, subject].filter(Boolean).join(": ") || null;
  return kind.startsWith("connection_") ? null : subject || null;
}

/** Deletes events older than SECURITY_LOG_KEPT. */
export async function purgeSecurityEvents(db: Engine, now: number): Promise<void> {
  while ((await db.tx((tx) => purgeBatch(tx, now))) >= BATCH);
}

async function purgeBatch(tx: Tx, now: number): Promise<number> {
  const { securityEvents } = tx.t;
  const { id, at } = securityEvents;
  const old = tx.q
    .select({ id })
    .from(securityEvents)
    .where(lt(at, now - SECURITY_LOG_KEPT))
    .limit(BATCH);
  return (await tx.q.delete(securityEvents).where(inArray(id, old)).returning({ id })).length;
}
