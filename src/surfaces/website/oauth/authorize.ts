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
import type { Post, SiteServices, Visit } from "../page-request.ts";
import { ADDRESS, consentPage } from "./consent.ts";
import { backPage, refusedPage, tooLongPage, unverifiedPage } from "./error-pages.ts";

/** Most characters of a request, so that the way by the sign-in page has room for it. */
const LONGEST = 8_000;

type Server = AuthorizationServer & Pick<SiteServices, "db">;

/** An app has sent a person here. */
export async function showRequest(server: Server, visit: Visit): Promise<void> {
  const query = visit.req.originalUrl.split("?").slice(1).join("?");
  const request = await requestOf(server, visit, query);
  if (!request) return;
  const { session, text, ask } = request;
  visit.show(consentPage(visit, { ask, email: session.email, here: hereOf(text), text }));
}

/** The person has decided. What the form carries is the request as it came, and counts for no more than that. */
export async function decide(server: Server, post: Post): Promise<void> {
  const request = await requestOf(server, post, post.field("request"));
  if (!request) return;
  const { session, ask } = request;
  const ticked = post.fields("scope");
  const scopes = ask.asked.filter((scope) => ticked.includes(scope));
  if (post.field("decision") !== "allow" || scopes.length === 0) {
    post.go(refusal(server, ask, new OAuthError("access_denied", "The person declined.")));
    return;
  }
  const { client, redirectUri, challenge, audience } = ask;
  const code = await post.act((tx) =>
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
  post.go(success(server, ask, code));
}

/** Who asks for what, and of whom; null when that was answered otherwise. */
async function requestOf(
  server: Server,
  visit: Visit,
  query: string,
): Promise<{ session: Session; text: string; ask: Authorization } | null> {
  const parameters = new URLSearchParams(query);
  if (![...parameters.values()].every(isStorable))
    throw new Refusal("invalid_request", "The request of the app has characters in it that no request has.");
  // Written anew: what a browser left as it is, a path of ours may not hold.
  const text = parameters.toString();
  const { session } = visit;
  if (text.length > LONGEST) visit.show(tooLongPage(), 400);
  else if (!session) await toSignIn(server, visit, parameters);
  else if (session.verifiedAt === null) visit.show(unverifiedPage(session.email, hereOf(text)), 403);
  else {
    const outcome = await authorizationOf(server, parameters, session.accountId);
    if ("ask" in outcome) return { session, text, ask: outcome.ask };
    if ("answered" in outcome) sendBack(visit, outcome.answered);
    else visit.show(refusedPage(outcome.refused), 400);
  }
  return null;
}

/** The app is told what is wrong with its request; see `backPage` for who came here from a form of ours. */
function sendBack(visit: Visit, address: string): void {
  if (visit.req.headers["sec-fetch-site"] === "same-origin" && visit.req.method === "GET")
    visit.show(backPage(address));
  else visit.go(address);
}

/** A request that nobody could be asked about is not worth signing in for. */
async function toSignIn(server: Server, visit: Visit, parameters: URLSearchParams): Promise<void> {
  const why = await unanswerable(server, parameters);
  if (why) visit.show(refusedPage(why), 400);
  else visit.go(`/sign-in?${new URLSearchParams({ return_to: hereOf(parameters.toString()) })}`);
}

function hereOf(request: string): string {
  return `${ADDRESS}?${request}`;
}
