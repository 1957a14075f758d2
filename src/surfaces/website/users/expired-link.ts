import { html } from "../html.ts";
import type { PageRequest } from "../page-request.ts";

/** A mailed link that was used, has expired, or never was: the same page, with what to do next. */
export function showExpiredLink(request: PageRequest, askAgain: "/sign-up" | "/forgot"): void {
  const next = request.session
    ? html`<p>You are signed in. <a href="/dashboard">Go to your dashboard</a>.</p>`
    : html`<p>If you opened it before, <a href="/sign-in">sign in</a>. If not,
<a href="${askAgain}">${askAgain === "/forgot" ? "ask for a new link" : "sign up again"}</a>.</p>`;
  request.show(
    {
      title: "Link no longer good - Beckon",
      body: html`
<h1>This link is no longer good</h1>
<p>It works once, for 24 hours, and only when it is opened whole: some mail programs cut long links.</p>
${next}`,
    },
    410,
  );
}
