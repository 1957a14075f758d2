import { html } from "../html.ts";
import type { PageRequest } from "../page-request.ts";

/** The same page for a mailed link that was used, one that has expired, and one that never existed. */
export function showExpiredLink(request: PageRequest, formPath: "/sign-up" | "/forgot"): void {
  const next = request.session
    ? html`<p>You are signed in. <a href="/dashboard">Go to your dashboard</a>.</p>`
    : html`<p>If you opened it before, <a href="/sign-in">sign in</a>. If not,
<a href="${formPath}">${formPath === "/forgot" ? "request a new link" : "sign up again"}</a>.</p>`;
  request.show(
    {
      title: "Link expired - Beckon",
      body: html`
<h1>This link has expired or was used already</h1>
<p>It works once, and for 24 hours. It may also be incomplete: some mail programs cut long links.</p>
${next}`,
    },
    410,
  );
}
