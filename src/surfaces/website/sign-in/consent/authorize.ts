import { DAY } from "../../../../platform/clock.ts";
import { Refusal } from "../../../../platform/errors/errors.ts";
import { OAuthError } from "../../../../platform/errors/oauth-errors.ts";
import { scopesOfRole } from "../../../../platform/roles.ts";
import { isStorable } from "../../../../platform/text.ts";
import { isRecent } from "../../shell/domain.ts";
import type { FormPost, PageRequest, Session } from "../../shell/page-request.ts";
import { termsIn } from "../../spending/domain.ts";
import { type AuthorizationRequest, type AuthorizationServer, allowApp } from "../domain.ts";
import { AUTHORIZE_PATH, consentPage } from "./consent.tsx";
import { invalidRequestPage, requestTooLongPage, returnToAppPage, unverifiedPage } from "./error-pages.tsx";
import { leavePage } from "./leave-page.tsx";

/**
 * The maximum length of a request in characters: any state of 4,096, each of which takes three, fits in. The address of the
 * sign-in page has it encoded once more (HEADER_BYTES in src/process/app.ts).
 */
const MAX_LENGTH = 16_000;

/** `GET /oauth/authorize`: an app has sent a user here. */
export async function showRequest(server: AuthorizationServer, request: PageRequest): Promise<void> {
  const query = request.req.originalUrl.split("?").slice(1).join("?");
  const checked = await requestOf(server, request, query);
  if (!checked) return;
  const { session, text, authRequest } = checked;
  const { id: clientId, name } = authRequest.client;
  const limits = await server.termsShown(session, { clientId, name }, request.now);
  request.show(consentPage(request, { authRequest, session, path: pathOf(text), text, limits }));
}

/** `POST /oauth/authorize`: the user has decided. The form carries the request of the app, which is checked again. */
export async function decide(server: AuthorizationServer, post: FormPost): Promise<void> {
  const checked = await requestOf(server, post, post.field("request"));
  if (!checked) return;
  const { session, text, authRequest } = checked;
  const ticked = post.fields("scope");
  const mayGive = scopesOfRole(session.role);
  const scopes = authRequest.requestedScopes.filter((scope) => ticked.includes(scope) && mayGive.includes(scope));
  if (post.field("decision") !== "allow" || scopes.length === 0) {
    const declined = new OAuthError("access_denied", "The user declined.");
    post.show(leavePage(server.authorizationErrorResponse(authRequest, declined)));
    return;
  }
  const { terms, typed, problem } = termsIn(post);
  if (problem !== null) {
    const again = { authRequest, session, path: pathOf(text), text, limits: typed, problem };
    return post.show(consentPage(post, again), 400);
  }
  const code = await allowApp(post, authRequest, { session, scopes, terms });
  post.show(leavePage(server.authorizationResponse(authRequest, code)));
}

/** The request of the app, checked, and the session of the user. Null: it was answered with another page. */
async function requestOf(
  server: AuthorizationServer,
  request: PageRequest,
  query: string,
): Promise<{ session: Session; text: string; authRequest: AuthorizationRequest } | null> {
  const parameters = new URLSearchParams(query);
  if (![...parameters.values()].every(isStorable))
    throw new Refusal("invalid_request", "The request of the app contains characters that are not allowed.");
  // Encoded again: browsers leave some characters as they are that a path of ours may not contain.
  const text = parameters.toString();
  const { session } = request;
  if (text.length > MAX_LENGTH) request.show(requestTooLongPage(), 400);
  else if (!session) await requireSignIn(server, request, parameters);
  else if (session.verifiedAt === null) request.show(unverifiedPage(session.email, pathOf(text)), 403);
  else {
    const outcome = await server.validateAuthorizationRequest(parameters, session.accountId);
    if ("request" in outcome) {
      if (mayDecide(request, session, outcome.request)) return { session, text, authRequest: outcome.request };
      request.redirect(confirmPath(pathOf(text)));
      return null;
    }
    if ("redirectTo" in outcome) request.show(returnToAppPage(outcome.redirectTo), 400);
    else request.show(invalidRequestPage(outcome.refused), 400);
  }
  return null;
}

/** Redirects to the sign-in page, unless the request cannot be answered with a code anyway. */
async function requireSignIn(
  server: AuthorizationServer,
  request: PageRequest,
  parameters: URLSearchParams,
): Promise<void> {
  const why = await server.unredirectableError(parameters);
  if (why) request.show(invalidRequestPage(why), 400);
  else request.redirect(`/sign-in?${new URLSearchParams({ return_to: pathOf(parameters.toString()) })}`);
}

/** An app that can spend or buy is connected by somebody who has proved today who they are. */
function mayDecide({ now }: PageRequest, session: Session, { requestedScopes }: AuthorizationRequest): boolean {
  return !requestedScopes.some((scope) => scope !== "read") || isRecent(session, now, DAY);
}

function confirmPath(returnTo: string): string {
  return `/sign-in?${new URLSearchParams({ return_to: returnTo, again: "1" })}`;
}

function pathOf(query: string): string {
  return `${AUTHORIZE_PATH}?${query}`;
}
