import { signIn } from "../../../domain/users/sign-in.ts";
import { button, form, hidden, notice } from "../form.ts";
import { type Html, html } from "../html.ts";
import type { Page } from "../layout.ts";
import { localPath } from "../local-path.ts";
import type { Post, SiteServices, Visit } from "../page-request.ts";
import { emailField, passwordField } from "./fields.ts";
import { waitOf } from "./retry-time.ts";
import { reasonFor, step } from "./return-to.ts";
import { enter, peopleOf, visitorOf } from "./visitor.ts";

/** `GET /sign-in`; with `again` it asks for the password of who is signed in. */
export function showSignIn(visit: Visit): void {
  const returnTo = localPath(visit.query("return_to"));
  const isAgain = visit.query("again") === "1";
  if (visit.session && !isAgain) visit.go(returnTo);
  else visit.show(page(visit, { returnTo }));
}

/** `POST /sign-in` */
export async function signInPost(services: SiteServices, post: Post): Promise<void> {
  const returnTo = localPath(post.field("return_to"));
  const email = post.session?.email ?? post.field("email");
  const password = post.field("password");
  const state = { returnTo, email };
  if (email === "" || password === "")
    return post.show(page(post, { ...state, said: html`Type your address and your password.` }), 400);
  try {
    const secret = await signIn(peopleOf(services), { email, password, visitor: visitorOf(post), now: post.now });
    if (secret) return await enter(services, post, secret, returnTo);
  } catch (thrown) {
    const { status, headers, text } = waitOf(thrown);
    post.res.set(headers);
    const byMail = html` <a href="${step("/forgot", returnTo)}">A link by mail</a> lets you in at once.`;
    const said = html`${text}${status === 429 ? byMail : ""}`;
    return post.show(page(post, { ...state, said }), status);
  }
  post.show(page(post, { ...state, said: post.session ? WRONG_AGAIN : WRONG }), 401);
}

// The same for an address that nobody has.
const WRONG = html`The address or the password is wrong, or the address has not been confirmed yet: open the link we mailed.`;
const WRONG_AGAIN = html`That is not the password.`;

interface State {
  readonly returnTo: string;
  readonly email?: string;
  readonly said?: Html;
}

function page(visit: Visit, { returnTo, email = "", said }: State): Page {
  const { session } = visit;
  const reason = session ? null : reasonFor(returnTo);
  const forgot = html`<a href="${step("/forgot", returnTo)}">Forgotten the password?</a>`;
  return {
    title: "Sign in - Beckon",
    forms: [],
    body: html`
<h1>${session ? "Your password, please" : "Sign in"}</h1>
${said ? notice(said, "bad") : reason ? notice(reason) : ""}
${session ? html`<p>You are signed in. What comes next needs to know that it is still you.</p>` : ""}
${form(
  visit,
  "/sign-in",
  html`${hidden({ return_to: returnTo })}
${emailField(session ? { value: session.email, isFixed: true } : { value: email })}${passwordField()}
${button(session ? "Go on" : "Sign in")}`,
)}
<p>${forgot}</p>
<p>${session ? html`Not you? <a href="${step("/sign-out", returnTo)}">Sign out</a>.` : html`New here? <a href="${step("/sign-up", returnTo)}">Open an account</a>.`}</p>`,
  };
}
