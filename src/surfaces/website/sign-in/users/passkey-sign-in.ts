import { authenticationOptions } from "../../../../domain/factors/verify-passkey.ts";
import { addressKey } from "../../../../domain/limits/address-key.ts";
import { consumeLimit } from "../../../../domain/limits/window.ts";
import { signInByPasskey } from "../../../../domain/users/factor-sign-in.ts";
import { pendingSignInOf } from "../../../../domain/users/pending-sign-ins.ts";
import { localPath } from "../../shell/local-path.ts";
import type { FormPost, WebsiteServices } from "../../shell/page-request.ts";
import { factorProblem } from "./factor-form.tsx";
import { requireRelyingParty } from "./relying-party.ts";
import { showSignInAgain } from "./sign-in.tsx";
import { startSession, userServicesOf, visitorOf } from "./visitor.ts";

/** `POST /sign-in/passkey/options`: what the script hands to the browser, as JSON, to sign in or to confirm who one is. */
export async function passkeyOptionsPost(services: WebsiteServices, post: FormPost): Promise<void> {
  const { db } = services;
  const { now, secret, session } = post;
  const relyingParty = requireRelyingParty(services, post);
  const { ip, hash: visitorHash } = visitorOf(post);
  await consumeLimit(db, addressKey(ip), "passkey_challenges", now);
  const pending = session ? null : await pendingSignInOf(db, secret, now);
  const personId = session?.personId ?? pending?.personId ?? null;
  const options = await authenticationOptions(db, { personId, relyingParty, visitorHash, now });
  post.res.set("Cache-Control", "no-store").json(options);
}

/** `POST /sign-in/passkey`: signs in by a passkey alone. */
export async function passkeySignInPost(services: WebsiteServices, post: FormPost): Promise<void> {
  const relyingParty = requireRelyingParty(services, post);
  const signIn = { response: post.field("passkey"), relyingParty, visitor: visitorOf(post), now: post.now };
  const result = await signInByPasskey(userServicesOf(services), signIn);
  if (result.outcome === "shown") return startSession(services, post, result.value, post.field("return_to"));
  const returnTo = localPath(post.field("return_to"));
  await showSignInAgain(services, post, { returnTo, message: factorProblem(result.outcome) });
}
