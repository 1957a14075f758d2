import { LINK_LIFETIME } from "../../../domain/users/mailed-links.ts";
import { HOUR } from "../../../platform/clock.ts";
import { html } from "../html.ts";
import { localPath } from "../local-path.ts";
import type { PageRequest } from "../page-request.ts";
import { withReturnTo } from "./return-to.ts";

/** What is seen when a link was asked for. It knows nothing of the address, so that it can tell nothing about it. */
export function showMailSent(request: PageRequest, askAgain: "/sign-up" | "/forgot"): void {
  const returnTo = localPath(request.query("return_to"));
  request.show({
    title: "Check your mail - Beckon",
    body: html`
<h1>Check your mail</h1>
<p>A message is on its way to the address you gave. The link in it is good for ${LINK_LIFETIME / HOUR} hours. Open it in this
browser, and you go on where you were.</p>
<h2>If nothing comes</h2>
<ul>
<li>Give it a few minutes, and look into the folder for spam.</li>
<li>The address may have been mistyped. <a href="${withReturnTo(askAgain, returnTo)}">Type it again</a>.</li>
${
  askAgain === "/forgot"
    ? html`<li>Only an address that has an account gets mail. <a href="${withReturnTo("/sign-up", returnTo)}">Open an account</a>.</li>`
    : ""
}
<li>An address is sent a few messages in an hour, then no more until the next.</li>
</ul>
<p>This page says the same for every address, so that nobody can find out who has an account.</p>`,
  });
}
