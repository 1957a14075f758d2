import { endSession } from "../../../domain/users/sessions.ts";
import { button, form, hidden } from "../form.ts";
import { html } from "../html.ts";
import { localPath } from "../local-path.ts";
import type { FormPost, PageRequest, WebsiteServices } from "../page-request.ts";
import { withReturnTo } from "./return-to.ts";

/** `GET /sign-out`: asks first, so that a link cannot sign anybody out. */
export function showSignOut(request: PageRequest): void {
  const { session } = request;
  const returnTo = request.query("return_to");
  const who = session
    ? html`<p>You are signed in as <strong>${session.email}</strong>. Apps and agents stay connected when you sign out.</p>
${form(request, "/sign-out", html`${hidden({ return_to: returnTo })}${button("Sign out")}`)}`
    : html`<p>You are not signed in. <a href="/sign-in">Sign in</a>.</p>`;
  request.show({ title: "Sign out - Beckon", forms: [], body: html`\n<h1>Sign out</h1>\n${who}` });
}

/** `POST /sign-out`; with `return_to` it leads to the sign-in page, for somebody who wants another account. */
export async function signOutPost({ db }: WebsiteServices, post: FormPost): Promise<void> {
  const { session } = post;
  if (session) await db.tx((tx) => endSession(tx, session, post.now));
  post.clearSessionCookie();
  const returnTo = post.field("return_to");
  post.redirect(returnTo === "" ? "/" : withReturnTo("/sign-in", localPath(returnTo)));
}
