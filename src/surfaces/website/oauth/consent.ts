import type { Authorization } from "../../../domain/auth/authorization.ts";
import { isDocumentUrl } from "../../../domain/auth/client-documents.ts";
import { formActionOf, isLoopback, placeOf } from "../../../domain/auth/redirects.ts";
import { button, form, hidden, notice, scopeCheckboxes } from "../form.ts";
import { type Html, html } from "../html.ts";
import type { Page } from "../layout.ts";
import type { PageRequest } from "../page-request.ts";

/** The authorization endpoint. */
export const AUTHORIZE_PATH = "/oauth/authorize";

interface Consent {
  readonly ask: Authorization;
  readonly email: string;
  /** The request, as the form carries it, and the address of this page with it. */
  readonly text: string;
  readonly here: string;
}

/** Asks the person. All that the app says of itself is marked as that. */
export function consentPage(request: Pick<PageRequest, "csrfToken">, { ask, email, text, here }: Consent): Page {
  const { client, redirectUri, asked, ticked } = ask;
  const other = `/sign-out?${new URLSearchParams({ return_to: here })}`;
  return {
    title: "Connect an app - Beckon",
    // Where the browser is sent on to after the form counts as its target.
    forms: [formActionOf(redirectUri)],
    body: html`
<h1>Connect “<bdi>${client.name}</bdi>” to your account?</h1>
<p class="soft">That is what the app calls itself. Nobody has checked it.</p>
${whereTo(redirectUri)}${documentOf(client.id)}
<p>Your account: <strong>${email}</strong> <a href="${other}">Not you?</a></p>
${form(
  request,
  AUTHORIZE_PATH,
  html`${hidden({ request: text })}${scopeCheckboxes(asked, ticked)}
<p class="hint">Untick what it does not need. It stays connected until you disconnect it in your
<a href="/dashboard">dashboard</a>.</p>
<p class="row">${button("Allow", { name: "decision", value: "allow" })}
${button("Decline", { name: "decision", value: "deny", look: "quiet" })}</p>`,
)}`,
  };
}

function whereTo(redirectUri: string): Html {
  const place = html`<strong><code>${placeOf(redirectUri)}</code></strong>`;
  if (isLoopback(redirectUri))
    return notice(
      html`You will be sent back to ${place}, a program on this computer. Any program here can ask like this: allow it
only if you have just started to connect one yourself.`,
      "bad",
    );
  if (redirectUri.startsWith("https:"))
    return html`<p>You will be sent back to ${place}. Allow it only if that is where you came from.</p>`;
  return html`<p>You will be sent back to the app on this device that opens links of ${place}. Allow it only if you
have just started to connect it yourself.</p>`;
}

function documentOf(clientId: string): Html {
  if (!isDocumentUrl(clientId)) return html``;
  return html`<p>This description of it comes from <strong><code>${new URL(clientId).host}</code></strong>.</p>`;
}
