import type { ComponentChildren, VNode } from "preact";
import { hasDemoAccount } from "../../../../platform/config/local.ts";
import { startCommand } from "../../../../platform/own-command.ts";
import { Button } from "../../components/button.tsx";
import { Form } from "../../components/form.tsx";
import { Notice } from "../../components/notice.tsx";
import { PasskeyForm } from "../../components/passkey-form.tsx";
import { EmailField, PasswordField } from "../../components/sign-in-fields.tsx";
import { SignUpHint } from "../../shell/deployment.tsx";
import type { Page } from "../../shell/layout.tsx";
import { localPath } from "../../shell/local-path.ts";
import type { FormPost, PageRequest, WebsiteServices } from "../../shell/page-request.ts";
import { retryLater } from "../../shell/retry-later.ts";
import { CONFIRM_IDENTITY_PATH, PASSKEY_OPTIONS_PATH, signInReason, withReturnTo } from "../../shell/return-to.ts";
import { DEMO_EMAIL, relyingPartyFor, visitorOf } from "../domain.ts";
import { IssuerButton } from "../issuer/issuer-button.tsx";
import { startSession } from "./start-session.ts";

/** `GET /sign-in`; with `again=1` it asks somebody who is signed in to prove it once more. */
export async function showSignIn(services: WebsiteServices, request: PageRequest): Promise<void> {
  const returnTo = localPath(request.query("return_to"));
  const isAgain = request.query("again") === "1";
  if (request.session && !isAgain) request.redirect(returnTo);
  else if (request.session?.hasFactor) request.redirect(withReturnTo(CONFIRM_IDENTITY_PATH, returnTo));
  else request.show(page(request, { returnTo, ...(await waysIn(services, request)) }));
}

/** The page again, with what was wrong. */
export async function showSignInAgain(
  services: WebsiteServices,
  request: PageRequest,
  { returnTo, message }: Pick<State, "returnTo" | "message">,
): Promise<void> {
  request.show(page(request, { returnTo, message, ...(await waysIn(services, request)) }), 401);
}

/** By what people sign in here, and by what somebody who is signed in proves it once more. */
async function waysIn(services: WebsiteServices, request: PageRequest): Promise<WaysIn> {
  const { users, config } = services;
  const { session } = request;
  const hasPasskeys = config.localSignIn && session === null && relyingPartyFor(services, request) !== null;
  const issuer = config.issuer?.name ?? null;
  const ways = { hasDemo: hasDemoAccount(config), hasPasskeys, hasPassword: config.localSignIn, issuer };
  if (!session || !issuer) return ways;
  const isConnected = (await users.issuer.identitiesOf(session.personId)).length > 0;
  const { passwordHash } = await users.personById(session.personId);
  if (!isConnected && config.localSignIn) return { ...ways, issuer: null };
  return { ...ways, hasPassword: config.localSignIn && passwordHash !== null };
}

/** `POST /sign-in` */
export async function signInPost(services: WebsiteServices, post: FormPost): Promise<void> {
  const returnTo = localPath(post.field("return_to"));
  const email = post.session?.email ?? post.field("email");
  const password = post.field("password");
  const state = { returnTo, email, ...(await waysIn(services, post)) };
  if (email === "" || password === "")
    return post.show(page(post, { ...state, message: "Enter your e-mail address and your password." }), 400);
  try {
    const secret = await services.users.signIn({ email, password, visitor: visitorOf(post), now: post.now });
    if (secret) return await startSession(services, post, secret, returnTo);
  } catch (thrown) {
    const { status, headers, text } = retryLater(thrown);
    post.res.set(headers);
    const message = status === 429 ? <TooManyAttempts text={text} returnTo={returnTo} /> : text;
    return post.show(page(post, { ...state, message }), status);
  }
  post.show(page(post, { ...state, message: post.session ? WRONG_AGAIN : WRONG }), 401);
}

// The same text for an address without an account.
const WRONG =
  "The e-mail address or the password is wrong. If you have not confirmed the address yet, open the link that we sent you.";
const WRONG_AGAIN = "The password is wrong.";

interface WaysIn {
  readonly hasDemo: boolean;
  readonly hasPassword: boolean;
  /** Whether passkeys can be used at this address. */
  readonly hasPasskeys: boolean;
  /** What people call the issuer; null: none signs them in. */
  readonly issuer: string | null;
}

interface State extends WaysIn {
  readonly returnTo: string;
  readonly email?: string;
  readonly message?: ComponentChildren;
}

function page(request: PageRequest, state: State): Page {
  const scripts = state.hasPasskeys ? (["passkey"] as const) : [];
  return { title: "Sign in - Beckon", forms: [], scripts, body: <SignInView request={request} {...state} /> };
}

function SignInView(props: State & { request: PageRequest }): VNode {
  const { request, returnTo, hasDemo, hasPasskeys, hasPassword, issuer, email = "", message } = props;
  const { session } = request;
  const reason = session ? null : signInReason(returnTo);
  return (
    <>
      <h1>{!session ? "Sign in" : hasPassword ? "Enter your password again" : "Confirm that it is you"}</h1>
      {message ? <Notice variant="bad">{message}</Notice> : reason && <Notice>{reason}</Notice>}
      {session && hasPassword && (
        <p>You are signed in. The next page asks for your password once more, to be sure that it is you.</p>
      )}
      {session && !hasPassword && <p>You are signed in. {issuer} asks you to sign in there once more.</p>}
      {issuer && (
        <IssuerButton request={request} name={issuer} returnTo={returnTo} verb={session ? "Continue" : "Sign in"} />
      )}
      {hasPassword && (
        <Form request={request} action="/sign-in" hidden={{ return_to: returnTo }}>
          {session ? <EmailField value={session.email} isFixed /> : <EmailField value={email} />}
          <PasswordField />
          <Button variant={issuer ? "quiet" : undefined}>{session ? "Continue" : "Sign in"}</Button>
        </Form>
      )}
      {hasPasskeys && (
        <PasskeyForm
          request={request}
          ceremony="get"
          optionsPath={PASSKEY_OPTIONS_PATH}
          action="/sign-in/passkey"
          hidden={{ return_to: returnTo }}
          button="Sign in with a passkey"
          variant="quiet"
        />
      )}
      {hasPassword && (
        <p>
          <a href={withReturnTo("/forgot", returnTo)}>Forgot your password?</a>
        </p>
      )}
      {session ? (
        <p>
          Not you? <a href={withReturnTo("/sign-out", returnTo)}>Sign out</a>.
        </p>
      ) : (
        hasPassword && (
          <p>
            <SignUpHint returnTo={returnTo}>New here?</SignUpHint>
          </p>
        )
      )}
      {hasDemo && (!session || session.email === DEMO_EMAIL) && <DemoHint isSignedIn={session !== null} />}
    </>
  );
}

function TooManyAttempts({ text, returnTo }: { text: string; returnTo: string }): VNode {
  return (
    <>
      {text} Or <a href={withReturnTo("/forgot", returnTo)}>request a link by e-mail</a>, which signs you in at once.
    </>
  );
}

/** The demo account has no password: the link that a start prints is the only way in. */
function DemoHint({ isSignedIn }: { isSignedIn: boolean }): VNode {
  return (
    <p>
      {isSignedIn
        ? "The demo account has no password. To prove again that it is you, "
        : "To use the demo account, which has no password, "}
      stop the service, run <code>{startCommand()}</code> again, and open the link that it prints.
    </p>
  );
}
