import { endSession } from "../../../domain/users/sessions.ts";
import { button, form, hidden } from "../form.ts";
import { html } from "../html.ts";
import { localPath } from "../local-path.ts";
import type { Post, SiteServices, Visit } from "../page-request.ts";
import { step } from "./return-to.ts";

/** `GET /sign-out`: a link signs nobody out. */
export function showSignOut(visit: Visit): void {
  const { session } = visit;
  const returnTo = visit.query("return_to");
  const who = session
    ? html`<p>You are signed in as <strong>${session.email}</strong>. Apps and agents stay connected when you sign out.</p>
${form(visit, "/sign-out", html`${hidden({ return_to: returnTo })}${button("Sign out")}`)}`
    : html`<p>You are not signed in. <a href="/sign-in">Sign in</a>.</p>`;
  visit.show({ title: "Sign out - Beckon", forms: [], body: html`\n<h1>Sign out</h1>\n${who}` });
}

/** `POST /sign-out`; who was on the way somewhere, under another account, signs in and goes on. */
export async function signOutPost({ db }: SiteServices, post: Post): Promise<void> {
  const { session } = post;
  if (session) await db.tx((tx) => endSession(tx, session, post.now));
  post.leave();
  const returnTo = post.field("return_to");
  post.go(returnTo === "" ? "/" : step("/sign-in", localPath(returnTo)));
}
