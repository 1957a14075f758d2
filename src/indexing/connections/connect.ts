import { createHash } from "node:crypto";
import type { Tx } from "../../../db/engine.ts";
import { type Attempt, beginAttempt, takeAttempt } from "../../domain/connections/attempts.ts";
import { type Property, WRITE_SCOPE } from "../../domain/connections/connections.ts";
import { isShared } from "../../domain/connections/end.ts";
import { saveConnection } from "../../domain/connections/save.ts";
import type { Config } from "../../platform/config/config.ts";
import { propertiesOfToken } from "../engines/live/google/properties.ts";
import {
  consentAddress,
  consentUrl,
  exchangeCode,
  type Granted,
  hasGoogleClient,
  ISSUERS,
  READ_SCOPE,
  revokeToken,
} from "../engines/live/own/google-oauth.ts";
import { bingSites } from "../engines/live/submit/bing-webmaster.ts";
import { UpstreamFailure } from "../providers/failure.ts";
import { forgetFailuresOf } from "../providers/purge.ts";
import { type ConnectionDeps, type Workbench, workbenchOf } from "./deps.ts";

/** Where Google leads back to. */
export const CALLBACK_PATH = "/dashboard/connections/google";

/** The person who connects, in a browser that is signed in. */
export interface Person {
  readonly accountId: string;
  readonly personId: string;
  readonly sessionId: string;
  readonly ip: string;
  readonly now: number;
  /** Runs a transaction in which the session is checked again. */
  sessionTx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

/** Why there is no connection. */
export type NotConnected =
  | "refused" // by the person, at Google
  | "stale" // the answer was used before, is too old, or is of another browser
  | "no_answer" // Google did not answer, or with an error
  | "half_granted" // without the permission that was asked for
  | "not_ours" // the tokens are not for this service
  | "no_offline" // without a refresh token
  | "key_refused"
  | "full";

export type Connected = { readonly id: string } | { readonly problem: NotConnected };

/** Whether people can connect their Search Console here; a sandbox asks nobody. */
export function canConnectGoogle({ mode, providers }: Pick<Config, "mode" | "providers">): boolean {
  return mode === "live" && hasGoogleClient({ settings: providers });
}

/** The origin of Google's consent page. */
export function consentOrigin({ providers }: Pick<Config, "providers">): string {
  return new URL(consentAddress({ settings: providers })).origin;
}

/** Begins a consent. @returns the address of Google's page */
export async function beginGoogle(
  deps: ConnectionDeps & { readonly config: Pick<Config, "siteUrl"> },
  { accountId, sessionId, now, sessionTx }: Person,
  withSitemaps: boolean,
): Promise<string> {
  const { box, api } = workbenchOf(deps);
  const asker = { accountId, sessionId, now, withSitemaps };
  const { state, attempt } = await sessionTx((tx) => beginAttempt(tx, box, asker));
  return consentUrl(api, { state, ...attempt, redirectUri: redirectUriOf(deps) });
}

/** What Google's page sends back, "" where it does not. */
export interface GoogleAnswer {
  readonly state: string;
  readonly code: string;
  readonly error: string;
  readonly iss: string;
}

/** Ends a consent: exchanges the code, reads the properties, and stores the connection. */
export async function finishGoogle(
  deps: ConnectionDeps & { readonly config: Pick<Config, "siteUrl"> },
  person: Person,
  { state, code, error, iss }: GoogleAnswer,
): Promise<Connected> {
  const bench = workbenchOf(deps);
  const { accountId, sessionId, now, sessionTx } = person;
  const attempt = await sessionTx((tx) => takeAttempt(tx, bench.box, { accountId, sessionId, now, state }));
  if (attempt === null) return { problem: "stale" };
  // An answer of another issuer is refused before its code is shown to anybody (RFC 9207 section 2.4).
  if (iss !== "" && !ISSUERS.includes(iss)) return { problem: "not_ours" };
  if (error !== "") return { problem: error === "access_denied" ? "refused" : "no_answer" };
  try {
    const { verifier, nonce } = attempt;
    const granted = await exchangeCode(bench.api, { code, verifier, nonce, redirectUri: redirectUriOf(deps) });
    if (granted === null) return { problem: "stale" };
    return await keepGranted(bench, person, attempt, granted);
  } catch (thrown) {
    if (thrown instanceof UpstreamFailure) return { problem: "no_answer" };
    throw thrown;
  }
}

async function keepGranted(
  bench: Workbench,
  { accountId, personId, ip, now, sessionTx }: Person,
  { withSitemaps }: Attempt,
  { accessToken, refreshToken, scopes, person }: Granted,
): Promise<Connected> {
  const { box, api } = bench;
  const wanted = withSitemaps ? WRITE_SCOPE : READ_SCOPE;
  const isGranted = scopes.includes(wanted) || scopes.includes(WRITE_SCOPE);
  if (person === null) return drop(bench, accessToken, null, "not_ours");
  if (!isGranted) return drop(bench, accessToken, person.subject, "half_granted");
  if (refreshToken === null) return drop(bench, accessToken, person.subject, "no_offline");
  const properties = await unlessUnanswered(propertiesOfToken(api, accessToken));
  const granted = scopes.filter((scope) => scope === READ_SCOPE || scope === WRITE_SCOPE).join(" ");
  const about = { subject: person.subject, name: person.email, scopes: granted, secret: refreshToken, properties };
  const id = await sessionTx((tx) =>
    saveAfresh(tx, box, { kind: "search_console", accountId, personId, ip, now, ...about }),
  );
  return id === null ? drop(bench, refreshToken, person.subject, "full") : { id };
}

/** Connects a key of Bing, once Bing takes it. */
export async function connectBing(
  deps: ConnectionDeps,
  { accountId, personId, ip, now, sessionTx }: Person,
  key: string,
): Promise<Connected> {
  const { box, api } = workbenchOf(deps);
  let properties: Property[];
  try {
    properties = await bingSites(api, key);
  } catch (thrown) {
    if (!(thrown instanceof UpstreamFailure)) throw thrown;
    return { problem: thrown.kind === "unauthorized" ? "key_refused" : "no_answer" };
  }
  const subject = createHash("sha256").update(key).digest("hex");
  const about = { subject, name: `key that ends in ${key.slice(-4)}`, scopes: "", secret: key, properties };
  const id = await sessionTx((tx) =>
    saveAfresh(tx, box, { kind: "bing_webmaster", accountId, personId, ip, now, ...about }),
  );
  return id === null ? { problem: "full" } : { id };
}

/** What was refused to the connection before it was made again is forgotten. */
async function saveAfresh(tx: Tx, ...[box, made]: [Workbench["box"], Parameters<typeof saveConnection>[2]]) {
  const id = await saveConnection(tx, box, made);
  if (id !== null) await forgetFailuresOf(tx, id);
  return id;
}

/** Gives back what is not kept, unless that would end a connection to the same Google account. */
async function drop({ db, api }: Workbench, token: string, subject: string | null, problem: NotConnected) {
  if (subject === null || !(await isShared(db, { subject }))) await revokeToken(api, token);
  return { problem };
}

async function unlessUnanswered<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (thrown) {
    if (thrown instanceof UpstreamFailure) return null;
    throw thrown;
  }
}

function redirectUriOf({ config }: { readonly config: Pick<Config, "siteUrl"> }): string {
  return `${config.siteUrl}${CALLBACK_PATH}`;
}
