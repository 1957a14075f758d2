import type { ComponentChildren, VNode } from "preact";
import { DEMO_EMAIL } from "../../../../domain/users/demo-sign-in.ts";
import { signIn } from "../../../../domain/users/sign-in.ts";
import { hasDemoAccount } from "../../../../platform/config/local.ts";
import { startCommand } from "../../../../platform/own-command.ts";
import { Button } from "../../components/button.tsx";
import { Form } from "../../components/form.tsx";
import { Notice } from "../../components/notice.tsx";
import { PasskeyForm } from "../../components/passkey-form.tsx";
import { SignUpHint } from "../../shell/deployment.tsx";
import type { Page } from "../../shell/layout.tsx";
import { localPath } from "../../shell/local-path.ts";
import type { FormPost, PageRequest, WebsiteServices } from "../../shell/page-request.ts";
import { retryLater } from "../../shell/retry-later.ts";
import { CONFIRM_IDENTITY_PATH, PASSKEY_OPTIONS_PATH, signInReason, withReturnTo } from "../../shell/return-to.ts";
import { EmailField, PasswordField } from "./fields.tsx";
import { relyingPartyFor } from "./relying-party.ts";
import { startSession, userServicesOf, visitorOf } from "./visitor.ts";

/** `GET /sign-in`; with `again=1` it asks somebody who is signed in for their password once more. */
export function showSignIn(services: WebsiteServices, request: PageRequest): void {
  const returnTo = localPath(request.query("return_to"));
  const isAgain = request.query("again") === "1";
  if (request.session && !isAgain) request.redirect(returnTo);
  else if (request.session?.hasFactor) request.redirect(withReturnTo(CONFIRM_IDENTITY_PATH, returnTo));
  else request.show(page(request, { returnTo, ...formsOf(services, request) }));
}

/** The page again, with what was wrong. */
export function showSignInAgain(
  services: WebsiteServices,
  request: PageRequest,
  { returnTo, message }: Pick<State, "returnTo" | "message">,
): void {
  request.show(page(request, { returnTo, message, ...formsOf(services, request) }), 401);
}

/** What the page offers besides a password. */
function formsOf(services: WebsiteServices, request: PageRequest) {
  const hasPasskeys = request.session === null && relyingPartyFor(services, request) !== null;
  return { hasDemo: hasDemoAccount(services.config), hasPasskeys };
}

/** `POST /sign-in` */
export async function signInPost(services: WebsiteServices, post: FormPost): Promise<void> {
  const returnTo = localPath(post.field("return_to"));
  const email = post.session?.email ?? post.field("email");
  const password = post.field("password");
  const state = { returnTo, email, ...formsOf(services, post) };
  if (email === "" || password === "")
    return post.show(page(post, { ...state, message: "Enter your e-mail address and your password." }), 400);
  try {
    const secret = await signIn(userServicesOf(services), { email, password, visitor: visitorOf(post), now: post.now });
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

interface State {
  readonly returnTo: string;
  readonly hasDemo: boolean;
  /** Whether passkeys can be used at this address. */
  readonly hasPasskeys: boolean;
  readonly email?: string;
  readonly message?: ComponentChildren;
}

function page(request: PageRequest, state: State): Page {
  const scripts = state.hasPasskeys ? (["passkey"] as const) : [];
  return { title: "Sign in - Beckon", forms: [], scripts, body: <SignInView request={request} {...state} /> };
}

function SignInView(props: State & { request: PageRequest }): VNode {
  const { request, returnTo, hasDemo, hasPasskeys, email = "", message } = props;
  const { session } = request;
  const reason = session ? null : signInReason(returnTo);
  return (
    <>
      <h1>{session ? "Enter your password again" : "Sign in"}</h1>
      {message ? <Notice variant="bad">{message}</Notice> : reason && <Notice>{reason}</Notice>}
      {session && <p>You are signed in. The next page asks for your password once more, to be sure that it is you.</p>}
      <Form request={request} action="/sign-in" hidden={{ return_to: returnTo }}>
        {session ? <EmailField value={session.email} isFixed /> : <EmailField value={email} />}
        <PasswordField />
        <Button>{session ? "Continue" : "Sign in"}</Button>
      </Form>
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
      <p>
        <a href={withReturnTo("/forgot", returnTo)}>Forgot your password?</a>
      </p>
      {session ? (
        <p>
          Not you? <a href={withReturnTo("/sign-out", returnTo)}>Sign out</a>.
        </p>
      ) : (
        <p>
          <SignUpHint returnTo={returnTo}>New here?</SignUpHint>
        </p>
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
