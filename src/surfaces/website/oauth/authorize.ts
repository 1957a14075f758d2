import {
  type Authorization,
  type AuthorizationServer,
  authorizationOf,
  refusal,
  success,
  unanswerable,
} from "../../../domain/auth/authorization.ts";
import { issueCode } from "../../../domain/auth/codes.ts";
import type { Session } from "../../../domain/users/sessions.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { OAuthError } from "../../../platform/errors/oauth-errors.ts";
import { isStorable } from "../../../platform/text.ts";
import type { FormPost, PageRequest, WebsiteServices } from "../page-request.ts";
import { AUTHORIZE_PATH, consentPage } from "./consent.ts";
import { invalidRequestPage, requestTooLongPage, returnToAppPage, unverifiedPage } from "./error-pages.ts";

/** Most characters of a request, so that the way by the sign-in page has room for it. */
const LONGEST = 8_000;

type Server = AuthorizationServer & Pick<WebsiteServices, "db">;

/** An app has sent a person here. */
export async function showRequest(server: Server, request: PageRequest): Promise<void> {
  const query = request.req.originalUrl.split("?").slice(1).join("?");
  const asked = await requestOf(server, request, query);
  if (!asked) return;
  const { session, text, ask } = asked;
  request.show(consentPage(request, { ask, email: session.email, here: hereOf(text), text }));
}

/** The person has decided. What the form carries is the request as it came, and counts for no more than that. */
export async function decide(server: Server, post: FormPost): Promise<void> {
  const asked = await requestOf(server, post, post.field("request"));
  if (!asked) return;
  const { session, ask } = asked;
  const ticked = post.fields("scope");
  const scopes = ask.asked.filter((scope) => ticked.includes(scope));
  if (post.field("decision") !== "allow" || scopes.length === 0) {
    post.redirect(refusal(server, ask, new OAuthError("access_denied", "The person declined.")));
    return;
  }
  const { client, redirectUri, challenge, audience } = ask;
  const code = await post.sessionTx((tx) =>
    issueCode(tx, {
      accountId: session.accountId,
      clientId: client.id,
      clientName: client.name,
      redirectUri,
      challenge,
      scopes,
      audience,
      now: post.now,
    }),
  );
  post.redirect(success(server, ask, code));
}

/** Who asks for what, and of whom; null when that was answered otherwise. */
async function requestOf(
  server: Server,
  request: PageRequest,
  query: string,
): Promise<{ session: Session; text: string; ask: Authorization } | null> {
  const parameters = new URLSearchParams(query);
  if (![...parameters.values()].every(isStorable))
    throw new Refusal("invalid_request", "The request of the app has characters in it that no request has.");
  // Written anew: what a browser left as it is, a path of ours may not hold.
  const text = parameters.toString();
  const { session } = request;
  if (text.length > LONGEST) request.show(requestTooLongPage(), 400);
  else if (!session) await toSignIn(server, request, parameters);
  else if (session.verifiedAt === null) request.show(unverifiedPage(session.email, hereOf(text)), 403);
  else {
    const outcome = await authorizationOf(server, parameters, session.accountId);
    if ("ask" in outcome) return { session, text, ask: outcome.ask };
    if ("answered" in outcome) sendBack(request, outcome.answered);
    else request.show(invalidRequestPage(outcome.refused), 400);
  }
  return null;
}

/** The app is told what is wrong with its request; see `backPage` for who came here from a form of ours. */
function sendBack(request: PageRequest, address: string): void {
  if (request.req.headers["sec-fetch-site"] === "same-origin" && request.req.method === "GET")
    request.show(returnToAppPage(address));
  else request.redirect(address);
}

/** A request that nobody could be asked about is not worth signing in for. */
async function toSignIn(server: Server, request: PageRequest, parameters: URLSearchParams): Promise<void> {
  const why = await unanswerable(server, parameters);
  if (why) request.show(invalidRequestPage(why), 400);
  else request.redirect(`/sign-in?${new URLSearchParams({ return_to: hereOf(parameters.toString()) })}`);
}

function hereOf(query: string): string {
  return `${AUTHORIZE_PATH}?${query}`;
}
