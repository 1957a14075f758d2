import { normaliseEmail } from "../../../domain/accounts/email.ts";
import { askForReset } from "../../../domain/users/reset.ts";
import { button, form, hidden, notice } from "../form.ts";
import { html } from "../html.ts";
import type { Page } from "../layout.ts";
import { localPath } from "../local-path.ts";
import type { Post, SiteServices, Visit } from "../page-request.ts";
import { emailField } from "./fields.ts";
import { waitOf } from "./retry-time.ts";
import { step } from "./return-to.ts";
import { peopleOf, visitorOf } from "./visitor.ts";

/** `GET /forgot` */
export function showForgot(visit: Visit): void {
  const returnTo = localPath(visit.query("return_to"));
  visit.show(page(visit, { returnTo, email: visit.session?.email ?? "" }));
}

/** `POST /forgot`: what is seen afterwards is the same for every address. */
export async function forgotPost(services: SiteServices, post: Post): Promise<void> {
  const returnTo = localPath(post.field("return_to"));
  const typed = post.field("email");
  const email = normaliseEmail(typed);
  const state = { returnTo, email: typed };
  const problem = "This is not an e-mail address. It looks like name@example.com.";
  if (email === null) return post.show(page(post, { ...state, problem }), 400);
  try {
    await askForReset(peopleOf(services), { email, returnTo, visitor: visitorOf(post), now: post.now });
  } catch (thrown) {
    const { status, headers, text } = waitOf(thrown);
    post.res.set(headers);
    return post.show(page(post, { ...state, wait: text }), status);
  }
  post.go(step("/forgot/sent", returnTo));
}

interface State {
  readonly returnTo: string;
  readonly email: string;
  readonly problem?: string;
  readonly wait?: string;
}

function page(visit: Visit, { returnTo, email, problem, wait }: State): Page {
  return {
    title: "Forgotten password - Beckon",
    forms: [],
    body: html`
<h1>Forgotten password</h1>
${wait ? notice(wait, "bad") : ""}
<p>We mail you a link by which you set a new one. Until then the old one stays good.</p>
${form(
  visit,
  "/forgot",
  html`${hidden({ return_to: returnTo })}${emailField({ value: email, problem: problem ?? null })}${button("Mail me a link")}`,
)}
<p>Remembered it? <a href="${step("/sign-in", returnTo)}">Sign in</a>.</p>`,
  };
}
