import {
  type ConnectionKind,
  type ConnectionRow,
  connectionsOf,
  propertiesIn,
  takesSitemaps,
} from "../../../domain/connections/connections.ts";
import { endConnection } from "../../../domain/connections/end.ts";
import { costOf } from "../../../domain/ledger/costs.ts";
import { balanceOf } from "../../../domain/ledger/ledger.ts";
import { memberOf } from "../../../domain/people/members.ts";
import { personWords } from "../../../domain/people/words.ts";
import { withAdvice } from "../../../domain/projects/advice.ts";
import { projectsOfHost } from "../../../domain/projects/of-host.ts";
import { mostOfRun, spentIn } from "../../../domain/watches/budget.ts";
import { settingsOf } from "../../../domain/watches/rows.ts";
import { findWatch } from "../../../domain/watches/watches.ts";
import {
  beginGoogle,
  CALLBACK_PATH,
  type Connected,
  canConnectGoogle,
  connectBing,
  consentOrigin,
  finishGoogle,
  type GoogleAnswer,
  type NotConnected,
  type Person,
} from "../../../indexing/connections/connect.ts";
import { revokeEnded } from "../../../indexing/connections/end.ts";
import { connectionsOfHost, type HostConnection, opens } from "../../../indexing/sites/own-properties.ts";
import { type HostVisits, visitsOfHost } from "../../../indexing/visits/visits.ts";
import { hasRight } from "../../../platform/roles.ts";
import type { SignedInPost, SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import type { Run } from "./watches/watch-words.ts";

/**
 * What the pages of sites take of the domain: what is known of a host besides the answers of operations, what the buttons of a
 * watch may spend, and the connections to search engines, which only a person makes and ends.
 */

export type { HostConnection, HostVisits, NotConnected };
export { CALLBACK_PATH, canConnectGoogle, consentOrigin, withAdvice };

/** Projects that the page of a host names. */
const PROJECTS = 10;

/** The newest projects that begin with a page of a host, the crawlers that came to it, and the connections that reach it. */
export async function alsoOf({ db }: WebsiteServices, { session }: SignedInRequest, host: string) {
  const [projects, visits, connections] = await Promise.all([
    projectsOfHost(db, session.accountId, { host, limit: PROJECTS }),
    visitsOfHost(db, session.accountId, host),
    connectionsOfHost(db, session.accountId, host),
  ]);
  const named = projects.map(({ id, name, total, createdAt }) => ({ id, name, total, createdAt }));
  return { projects: named, visits, connections };
}

export interface Prices {
  /** The most that a run costs now. */
  readonly run: number;
  /** The most that it costs to go on with what holds the watch, now and this month, and what that is; null: nothing holds it. */
  readonly release: { readonly credits: number; readonly month: number; readonly held: string } | null;
}

/** What the buttons of a watch may spend. @param last its newest run */
export async function pricesOf(
  { db, clock }: WebsiteServices,
  { session: { accountId }, now }: SignedInRequest,
  { id, last }: { readonly id: string; readonly last: Run | undefined },
): Promise<Prices> {
  const [watch, balance] = await Promise.all([findWatch(db, accountId, id), balanceOf(db, accountId)]);
  const run = await mostOfRun(db, watch, { balance, now, service: clock.service() });
  if (watch.status !== "held" || watch.heldDigest === null || !last) return { run, release: null };
  const { newPages, changedPages, mode } = settingsOf(watch);
  const found = (newPages === "submit" ? last.new : 0) + (changedPages === "submit" ? last.changed : 0);
  const whole = costOf(mode, found + watch.waiting);
  const left = Math.max(0, watch.creditsPerMonth - spentIn(watch, clock.service()));
  return { run, release: { credits: Math.min(run, whole), month: Math.min(left, whole), held: watch.heldDigest } };
}

/** A connection as its page shows it. */
export interface ConnectionView extends Pick<ConnectionRow, "id" | "name" | "checkedAt" | "failingSince" | "failure"> {
  readonly kind: ConnectionKind;
  readonly takesSitemaps: boolean;
  /** Who has connected it, as the reader may know it. */
  readonly by: string | null;
  /** Whether the reader may end it. */
  readonly mayEnd: boolean;
  readonly properties: readonly PropertyView[];
}

export interface PropertyView {
  readonly name: string;
  /** Null: the permission opens nothing. */
  readonly opens: { readonly isOwner: boolean } | null;
}

/** What only the page shows: every property, with what it opens. */
export async function connectionViews({ db }: WebsiteServices, request: SignedInRequest): Promise<ConnectionView[]> {
  const { session } = request;
  const views: ConnectionView[] = [];
  for (const row of await connectionsOf(db, session.accountId)) {
    const { id, name, checkedAt, failingSince, failure } = row;
    const properties = propertiesIn(row).map((one) => ({ name: one.name, opens: opens(one.permission) }));
    const isOwn = row.personId === session.personId;
    views.push({
      id,
      kind: row.kind as ConnectionKind,
      name,
      checkedAt,
      failingSince,
      failure,
      takesSitemaps: takesSitemaps(row),
      properties,
      by: await personWords(db, session, row.personId),
      mayEnd: hasRight(session.role, isOwn ? "settings" : "owners"),
    });
  }
  return views;
}

function personOf({ session, sessionTx, ip, now }: SignedInRequest): Person {
  const { accountId, personId, id: sessionId } = session;
  return { accountId, personId, sessionId, sessionTx, ip, now };
}

/** @returns the address of Google's consent */
export function askGoogle(services: WebsiteServices, post: SignedInPost, withSitemaps: boolean): Promise<string> {
  return beginGoogle(services, personOf(post), withSitemaps);
}

export function acceptGoogle(
  services: WebsiteServices,
  request: SignedInRequest,
  answer: GoogleAnswer,
): Promise<Connected> {
  return finishGoogle(services, personOf(request), answer);
}

export function saveBingKey(services: WebsiteServices, post: SignedInPost, key: string): Promise<Connected> {
  return connectBing(services, personOf(post), key);
}

/** Only owners end what others have connected. @returns false: the account has no such connection, or it is another's */
export async function disconnect(services: WebsiteServices, post: SignedInPost, id: string): Promise<boolean> {
  const { session, sessionTx, ip, now } = post;
  const { accountId, personId } = session;
  const isEnded = await sessionTx(async (tx) => {
    const role = (await memberOf(tx, session))?.role ?? "viewer";
    const onlyOf = hasRight(role, "owners") ? undefined : personId;
    return endConnection(tx, { accountId, personId, onlyOf, id, ip, now });
  });
  if (isEnded) await revokeEnded(services, accountId);
  return isEnded;
}
