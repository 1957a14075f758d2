import { DEMO_EMAIL } from "../../../domain/users/demo-sign-in.ts";
import { signIn } from "../../../domain/users/sign-in.ts";
import { hasDemoAccount } from "../../../platform/config/local.ts";
import { button, form, hidden, notice } from "../form.ts";
import { type Html, html } from "../html.ts";
import type { Page } from "../layout.tsx";
import { localPath } from "../local-path.ts";
import type { FormPost, PageRequest, WebsiteServices } from "../page-request.ts";
import { emailField, passwordField } from "./fields.ts";
import { retryLater } from "./retry-later.ts";
import { signInReason, withReturnTo } from "./return-to.ts";
import { startSession, userServicesOf, visitorOf } from "./visitor.ts";

/** `GET /sign-in`; with `again=1` it asks somebody who is signed in for their password once more. */
export function showSignIn({ config }: WebsiteServices, request: PageRequest): void {
  const returnTo = localPath(request.query("return_to"));
  const isAgain = request.query("again") === "1";
  if (request.session && !isAgain) request.redirect(returnTo);
  else request.show(page(request, { returnTo, hasDemo: hasDemoAccount(config) }));
}

/** `POST /sign-in` */
export async function signInPost(services: WebsiteServices, post: FormPost): Promise<void> {
  const returnTo = localPath(post.field("return_to"));
  const email = post.session?.email ?? post.field("email");
  const password = post.field("password");
  const state = { returnTo, email, hasDemo: hasDemoAccount(services.config) };
  if (email === "" || password === "")
    return post.show(page(post, { ...state, message: html`Enter your e-mail address and your password.` }), 400);
  try {
    const secret = await signIn(userServicesOf(services), { email, password, visitor: visitorOf(post), now: post.now });
    if (secret) return await startSession(services, post, secret, returnTo);
  } catch (thrown) {
    const { status, headers, text } = retryLater(thrown);
    post.res.set(headers);
    const byMail = html` Or <a href="${withReturnTo("/forgot", returnTo)}">request a link by e-mail</a>, which signs you in at once.`;
    const message = html`${text}${status === 429 ? byMail : ""}`;
    return post.show(page(post, { ...state, message }), status);
  }
  post.show(page(post, { ...state, message: post.session ? WRONG_AGAIN : WRONG }), 401);
}

// The same text for an address without an account.
const WRONG = html`The e-mail address or the password is wrong. If you have not confirmed the address yet, open the link that we sent you.`;
const WRONG_AGAIN = html`The password is wrong.`;

interface State {
  readonly returnTo: string;
  readonly hasDemo: boolean;
  readonly email?: string;
  readonly message?: Html;
}

/** The demo account has no password: the link that a start prints is the only way in. */
function demoHint({ session }: PageRequest): Html {
  if (session && session.email !== DEMO_EMAIL) return html``;
  const restart = html`stop the service, run <code>npm start</code> again, and open the link that it prints`;
  return session
    ? html`<p>The demo account has no password. To prove again that it is you, ${restart}.</p>`
    : html`<p>To use the demo account, which has no password, ${restart}.</p>`;
}

function page(request: PageRequest, { returnTo, hasDemo, email = "", message }: State): Page {
  const { session } = request;
  const reason = session ? null : signInReason(returnTo);
  const forgot = html`<a href="${withReturnTo("/forgot", returnTo)}">Forgot your password?</a>`;
  return {
    title: "Sign in - Beckon",
    forms: [],
    body: html`
<h1>${session ? "Enter your password again" : "Sign in"}</h1>
${message ? notice(message, "bad") : reason ? notice(reason) : ""}
${session ? html`<p>You are signed in. The next page asks for your password once more, to be sure that it is you.</p>` : ""}
${form(
  request,
  "/sign-in",
  html`${hidden({ return_to: returnTo })}
${emailField(session ? { value: session.email, isFixed: true } : { value: email })}${passwordField()}
${button(session ? "Continue" : "Sign in")}`,
)}
<p>${forgot}</p>
<p>${session ? html`Not you? <a href="${withReturnTo("/sign-out", returnTo)}">Sign out</a>.` : html`New here? <a href="${withReturnTo("/sign-up", returnTo)}">Create an account</a>.`}</p>
${hasDemo ? demoHint(request) : ""}`,
  };
}
