import type { Reader } from "../../../../db/engine.ts";
import { approveClaim, declineClaim, isMeantFor, registrationOfAttempt } from "../../../domain/agents/claiming.ts";
import type { RegistrationRow } from "../../../domain/agents/registrations.ts";
import { scopesIn } from "../../../domain/credentials/scopes.ts";
import { hashOf } from "../../../domain/credentials/secrets.ts";
import { authenticatorUri, newAuthenticatorSecret, stepOfCode } from "../../../domain/factors/authenticator-app.ts";
import type { Factors } from "../../../domain/factors/factors.ts";
import { RECOVERY_CODES } from "../../../domain/factors/recovery-codes.ts";
import { type RelyingParty, relyingPartyOf } from "../../../domain/factors/relying-party.ts";
import { type Issuer, IssuerFailure, type IssuerProblem } from "../../../domain/issuer/issuer.ts";
import { ISSUER_CALLBACK_PATH, openIssuer } from "../../../domain/issuer/open-issuer.ts";
import type { IssuerPurpose } from "../../../domain/issuer/sign-ins.ts";
import { agentConnected } from "../../../domain/mail/templates/agent-connected.ts";
import {
  type AuthorizationRequest,
  authorizationErrorResponse,
  authorizationResponse,
  type UnredirectableError,
  unredirectableError,
  validateAuthorizationRequest,
} from "../../../domain/oauth/authorization.ts";
import {
  ClientDocuments,
  DOCUMENT_PROBLEMS,
  type DocumentProblem,
  isDocumentUrl,
} from "../../../domain/oauth/client-documents.ts";
import { issueCode } from "../../../domain/oauth/codes.ts";
import { isLoopbackRedirect, redirectLabel } from "../../../domain/oauth/redirects.ts";
import { normaliseEmail } from "../../../domain/people/email.ts";
import { budgetOf, setLimits } from "../../../domain/spending/budgets.ts";
import { holderOf } from "../../../domain/spending/holder.ts";
import type { IssuerRefusal } from "../../../domain/users/issuer-sign-in.ts";
import { rememberBrowser } from "../../../domain/users/known-browsers.ts";
import { isRequestedBy, LINK_LIFETIME, type MailedLink } from "../../../domain/users/mailed-links.ts";
import type { AddedFactor } from "../../../domain/users/manage-factors.ts";
import { passwordProblem } from "../../../domain/users/passwords.ts";
import type { PendingSignIn } from "../../../domain/users/pending-sign-ins.ts";
import { isPasswordRecent } from "../../../domain/users/sessions.ts";
import type { FactorProof } from "../../../domain/users/show-factor.ts";
import { DEMO_EMAIL } from "../../../domain/users/sign-in-links.ts";
import type { Visitor } from "../../../domain/users/users.ts";
import { bindFirst } from "../../../platform/bind.ts";
import { siteUrlFor, siteUrlsOf } from "../../../platform/config/local.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import type { Scope } from "../../../platform/principal.ts";
import { hasRight } from "../../../platform/roles.ts";
import type { FormPost, PageRequest, Session, WebsiteServices } from "../shell/page-request.ts";
import { firstTerms } from "../spending/domain.ts";

/**
 * What the pages of signing in take of the domain besides what `services.users` does: the words and rules of its answers, and what
 * users decide on apps and agents that ask for access.
 */

export type {
  AddedFactor,
  AuthorizationRequest,
  DocumentProblem,
  FactorProof,
  Factors,
  Issuer,
  IssuerProblem,
  IssuerPurpose,
  IssuerRefusal,
  MailedLink,
  PendingSignIn,
  RegistrationRow,
  UnredirectableError,
};
export {
  authenticatorUri,
  DEMO_EMAIL,
  DOCUMENT_PROBLEMS,
  ISSUER_CALLBACK_PATH,
  IssuerFailure,
  isDocumentUrl,
  isLoopbackRedirect,
  isMeantFor,
  isPasswordRecent,
  isRequestedBy,
  LINK_LIFETIME,
  newAuthenticatorSecret,
  normaliseEmail,
  openIssuer,
  passwordProblem,
  RECOVERY_CODES,
  redirectLabel,
  rememberBrowser,
  scopesIn,
  stepOfCode,
};

export function visitorOf({ ip, browser, secret, known }: PageRequest): Visitor {
  return { ip, browser, hash: hashOf(secret), known };
}

/** The relying party of a request; null where passkeys cannot be used. */
export function relyingPartyFor({ config }: WebsiteServices, { req }: PageRequest): RelyingParty | null {
  return relyingPartyOf(config.siteUrl, req.headers.host);
}

/** @throws Refusal invalid_request where passkeys cannot be used */
export function requireRelyingParty(services: WebsiteServices, request: PageRequest): RelyingParty {
  const relyingParty = relyingPartyFor(services, request);
  if (relyingParty) return relyingParty;
  throw new Refusal("invalid_request", "Passkeys cannot be used at an IP address. Open this page by a name.");
}

/** The authorization server at the address that each request came to. */
export function authorizationServers(services: WebsiteServices) {
  const { db, config } = services;
  const documents = config.clientDocuments ? new ClientDocuments(services) : null;
  const siteUrls = siteUrlsOf(config);
  return ({ req }: PageRequest) => ({
    ...bindFirst(
      { db, siteUrl: siteUrlFor(config, req.headers.host), siteUrls, documents },
      { validateAuthorizationRequest, unredirectableError, authorizationResponse, authorizationErrorResponse },
    ),
    ...bindFirst(db, { termsShown }),
  });
}

export type AuthorizationServer = ReturnType<ReturnType<typeof authorizationServers>>;

/** An app, or an agent, which has no client id. */
interface Asker {
  readonly clientId: string | null;
  readonly name: string;
}

type Tx = Parameters<typeof setLimits>[0];
type Terms = Parameters<typeof setLimits>[2];

/** The limits that the form to connect an app or agent shows first. */
export async function termsShown(db: Reader, { accountId }: Session, asker: Asker, now: number) {
  return firstTerms(await budgetOf(db, { accountId, holder: holderOf(asker) }), now);
}

/** Limits what an app or agent may spend. Limits that it has already are changed by those alone who may change them. */
async function setFirstLimits(tx: Tx, { accountId, role }: Session, asker: Asker, terms: Terms): Promise<void> {
  const holder = holderOf(asker);
  if (!hasRight(role, "keys") && (await budgetOf(tx, { accountId, holder }))) return;
  await setLimits(tx, { accountId, holder }, terms);
}

interface Allowed {
  readonly session: Session;
  readonly scopes: readonly Scope[];
  readonly terms: Terms;
}

/** Lets an app have what its user has ticked. @returns the code that it exchanges */
export function allowApp(
  { sessionTx, now }: FormPost,
  { client, redirectUri, challenge, audience }: AuthorizationRequest,
  { session, scopes, terms }: Allowed,
): Promise<string> {
  const { accountId, personId } = session;
  const { id: clientId, name: clientName } = client;
  return sessionTx(async (tx) => {
    await setFirstLimits(tx, session, { clientId, name: clientName }, terms);
    const granted = { accountId, personId, clientId, clientName, scopes };
    return issueCode(tx, { ...granted, redirectUri, challenge, audience, now });
  });
}

/** The registration that an agent's link leads to; null: the link is not valid. */
export function registrationAt({ db }: WebsiteServices, { now }: PageRequest, attempt: string) {
  return registrationOfAttempt(db, attempt, now);
}

/** Connects an agent, if the code is the one that it shows, and tells its user by mail. */
export function allowAgent(
  { mailer, config: { siteUrl } }: WebsiteServices,
  { sessionTx, ip, now }: FormPost,
  { session, scopes, terms, ...claim }: Allowed & { readonly attempt: string; readonly code: string },
) {
  return sessionTx(async (tx) => {
    const outcome = await approveClaim(tx, { ...claim, claimant: session, scopes, ip, now });
    if (outcome.outcome === "claimed") {
      await setFirstLimits(tx, session, { clientId: null, name: outcome.name }, terms);
      await mailer.queue(tx, agentConnected({ ...outcome, to: session.email, siteUrl }));
    }
    return outcome;
  });
}

export async function declineAgent(
  { sessionTx, ip, now }: FormPost,
  { session, attempt }: { readonly session: Session; readonly attempt: string },
): Promise<void> {
  await sessionTx((tx) => declineClaim(tx, { attempt, claimant: session, ip, now }));
}
