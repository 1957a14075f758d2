import type { AuthorizationRequest } from "../../../domain/auth/authorization.ts";
import { isDocumentUrl } from "../../../domain/auth/client-documents.ts";
import { formActionOf, isLoopbackRedirect, redirectLabel } from "../../../domain/auth/redirects.ts";
import { button, form, hidden, notice, scopeCheckboxes } from "../form.ts";
import { type Html, html } from "../html.ts";
import type { Page } from "../layout.tsx";
import type { PageRequest } from "../page-request.ts";

/** The authorization endpoint (RFC 6749 section 3.1). */
export const AUTHORIZE_PATH = "/oauth/authorize";

interface Consent {
  readonly authRequest: AuthorizationRequest;
  readonly email: string;
  /** The request of the app, URL-encoded, which the form carries. */
  readonly text: string;
  /** The path of this page, with the request. */
  readonly path: string;
}

/** Asks the user whether to connect the app. What the app says of itself is marked as unverified. */
export function consentPage(
  request: Pick<PageRequest, "csrfToken">,
  { authRequest, email, text, path }: Consent,
): Page {
  const { client, redirectUri, requestedScopes, preselectedScopes } = authRequest;
  const otherAccount = `/sign-out?${new URLSearchParams({ return_to: path })}`;
  return {
    title: "Connect an app - Beckon",
    // form-action covers the redirect back to the app.
    forms: [formActionOf(redirectUri)],
    body: html`
<h1>Connect “<bdi>${client.name}</bdi>” to your account?</h1>
<p class="soft">The app chose this name itself. We have not verified it.</p>
${redirectNotice(redirectUri)}${clientDocumentNotice(client.id)}
<p>Your account: <strong>${email}</strong> <a href="${otherAccount}">Not you?</a></p>
${form(
  request,
  AUTHORIZE_PATH,
  html`${hidden({ request: text })}${scopeCheckboxes(requestedScopes, preselectedScopes)}
<p class="hint">Untick what the app does not need. It stays connected until you disconnect it in your
<a href="/dashboard">dashboard</a>.</p>
<p class="row">${button("Allow", { name: "decision", value: "allow" })}
${button("Decline", { name: "decision", value: "deny", variant: "quiet" })}</p>`,
)}`,
  };
}

function redirectNotice(redirectUri: string): Html {
  const host = html`<strong><code>${redirectLabel(redirectUri)}</code></strong>`;
  if (isLoopbackRedirect(redirectUri))
    return notice(
      html`You will be sent back to ${host}, a program on this computer. Any program on it can ask for this, so
allow it only if you have just started connecting one yourself.`,
      "bad",
    );
  if (redirectUri.startsWith("https:"))
    return html`<p>You will be sent back to ${host}. Allow it only if that is where you came from.</p>`;
  return html`<p>You will be sent back to the app on this device that opens links of ${host}. Allow it only if you
have just started connecting it yourself.</p>`;
}

function clientDocumentNotice(clientId: string): Html {
  if (!isDocumentUrl(clientId)) return html``;
  return html`<p>The app is described by a document at <strong><code>${new URL(clientId).host}</code></strong>.</p>`;
}
