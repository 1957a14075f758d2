import { normaliseEmail } from "../../../domain/accounts/email.ts";
import { passwordProblem } from "../../../domain/users/passwords.ts";
import { requestSignUp } from "../../../domain/users/sign-up.ts";
import { button, form, hidden, notice } from "../form.ts";
import { html } from "../html.ts";
import type { Page } from "../layout.tsx";
import { localPath } from "../local-path.ts";
import type { FormPost, PageRequest, WebsiteServices } from "../page-request.ts";
import { emailField, newPasswordField } from "./fields.ts";
import { retryLater } from "./retry-later.ts";
import { signInReason, withReturnTo } from "./return-to.ts";
import { userServicesOf, visitorOf } from "./visitor.ts";

/** `GET /sign-up` */
export function showSignUp(request: PageRequest): void {
  const returnTo = localPath(request.query("return_to"));
  if (request.session) request.redirect(returnTo);
  else request.show(page(request, { returnTo }));
}

/** `POST /sign-up`: the answer is the same for every address. */
export async function signUpPost(services: WebsiteServices, post: FormPost): Promise<void> {
  const returnTo = localPath(post.field("return_to"));
  if (post.session) return post.redirect(returnTo);
  const typed = { email: post.field("email"), password: post.field("password") };
  const email = normaliseEmail(typed.email);
  const problems = {
    email: email === null ? "Enter an e-mail address, such as name@example.com." : null,
    password: passwordProblem(typed.password, email ?? ""),
  };
  const state = { returnTo, email: typed.email };
  if (email === null || problems.password) return post.show(page(post, { ...state, problems }), 400);
  try {
    const signUp = { email, password: typed.password, returnTo, visitor: visitorOf(post), now: post.now };
    await requestSignUp(userServicesOf(services), signUp);
  } catch (thrown) {
    const { status, headers, text } = retryLater(thrown);
    post.res.set(headers);
    return post.show(page(post, { ...state, message: text }), status);
  }
  post.redirect(withReturnTo("/sign-up/sent", returnTo));
}

interface State {
  readonly returnTo: string;
  readonly email?: string;
  readonly problems?: { readonly email: string | null; readonly password: string | null };
  readonly message?: string;
}

function page(request: PageRequest, { returnTo, email = "", problems, message }: State): Page {
  const reason = signInReason(returnTo);
  return {
    title: "Sign up - Beckon",
    forms: [],
    body: html`
<h1>Create an account</h1>
${message ? notice(message, "bad") : reason ? notice(reason) : ""}
<p>We send you a link to confirm your address. Already have an account? <a href="${withReturnTo("/sign-in", returnTo)}">Sign in</a>.</p>
${form(
  request,
  "/sign-up",
  html`${hidden({ return_to: returnTo })}${emailField({ value: email, problem: problems?.email ?? null })}
${newPasswordField({ label: "Password", problem: problems?.password ?? null })}
${button("Create account")}`,
)}`,
  };
}
