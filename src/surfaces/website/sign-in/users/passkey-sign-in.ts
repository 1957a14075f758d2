import { localPath } from "../../shell/local-path.ts";
import type { FormPost, WebsiteServices } from "../../shell/page-request.ts";
import { requireRelyingParty, visitorOf } from "../domain.ts";
import { factorProblem } from "./factor-form.tsx";
import { showSignInAgain } from "./sign-in.tsx";
import { startSession } from "./start-session.ts";

/** `POST /sign-in/passkey/options`: what the script hands to the browser, as JSON, to sign in or to confirm who one is. */
export async function passkeyOptionsPost(services: WebsiteServices, post: FormPost): Promise<void> {
  const { now, secret, session } = post;
  const relyingParty = requireRelyingParty(services, post);
  const browser = { session, secret, relyingParty, visitor: visitorOf(post), now };
  const options = await services.users.factors.passkeyOptions(browser);
  post.res.set("Cache-Control", "no-store").json(options);
}

/** `POST /sign-in/passkey`: signs in by a passkey alone. */
export async function passkeySignInPost(services: WebsiteServices, post: FormPost): Promise<void> {
  const relyingParty = requireRelyingParty(services, post);
  const signIn = { response: post.field("passkey"), relyingParty, visitor: visitorOf(post), now: post.now };
  const result = await services.users.factors.signInByPasskey(signIn);
  if (result.outcome === "shown") return startSession(services, post, result.value, post.field("return_to"));
  const returnTo = localPath(post.field("return_to"));
  await showSignInAgain(services, post, { returnTo, message: factorProblem(result.outcome) });
}
