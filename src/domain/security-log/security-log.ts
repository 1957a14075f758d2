import { and, desc, eq, inArray, isNull, lt, or } from "drizzle-orm";
import type { Engine, Reader, Tx } from "../../../db/engine.ts";
import { DAY } from "../../platform/clock.ts";

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

export type SecurityEvent = keyof typeof SECURITY_EVENTS;

/** How long events are kept, in ms. */
export const SECURITY_LOG_KEPT = 400 * DAY;

/** Most rows that one transaction deletes; it blocks other writers for a few ms. */
const BATCH = 500;

/** Whose log an event is written to: of an account, by a person where one is known, or of a person. */
type Whose =
  | { readonly accountId: string; readonly personId?: string | null | undefined }
  | { readonly personId: string };

/** Writes an event to the log of an account, or of how a person signs in, in the transaction of what happened. */
export async function recordSecurityEvent(
  tx: Tx,
  event: Whose & { kind: SecurityEvent; subject: string; ip?: string | undefined; now: number },
): Promise<void> {
  const { personId = null, kind, subject, ip = null, now } = event;
  const accountId = "accountId" in event ? event.accountId : null;
  await tx.q
    .insert(tx.t.securityEvents)
    .values({ accountId, personId, at: now, kind, subject: subject.slice(0, 200), ip });
}

/** A page of the log that a person sees in an account: of the account, and of how the person signs in. Newest first. */
export async function securityEventsOf(
  db: Reader,
  { accountId, personId }: { readonly accountId: string; readonly personId: string },
  page: { readonly limit: number; readonly offset: number },
) {
  const { securityEvents } = db.t;
  const isOwn = and(eq(securityEvents.personId, personId), isNull(securityEvents.accountId));
  const rows = await db.q
    .select()
    .from(securityEvents)
    .where(or(eq(securityEvents.accountId, accountId), isOwn))
    .orderBy(desc(securityEvents.id))
    .limit(page.limit + 1)
    .offset(page.offset);
  return { rows: rows.slice(0, page.limit), hasMore: rows.length > page.limit };
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
