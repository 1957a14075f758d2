import { ERRORS } from "../errors.ts";
import { OAUTH_ERRORS } from "../oauth-errors.ts";
import { type Html, html, prose } from "./html.ts";
import type { Page } from "./layout.ts";

/** The reference that every refusal's `docs` leads to, made of the table of errors. */
export function errorsPage(): Page {
  return {
    title: "Errors - Beckon",
    body: html`
<h1>Errors</h1>
<p>A refusal is JSON: <code>{"error": {"code", "message", "docs", …}}</code>. Branch on <code>code</code>; show
<code>message</code> to a person or a model. More fields may be added.</p>
${table(ERRORS)}
<h2>Signing in</h2>
<p>Under <code>/oauth/</code> a refusal has the form of RFC 6749:
<code>{"error": code, "error_description", "error_uri"}</code>.</p>
${table(OAUTH_ERRORS)}`,
  };
}

/** @returns null when there is no such code */
export function errorPage(code: string): Page | null {
  const found = find(ERRORS, code) ?? find(OAUTH_ERRORS, code);
  if (!found) return null;
  const { status, title, cause, remedy } = found;
  return {
    title: `${code} - Beckon`,
    body: html`
<h1>${title}</h1>
<p><code>${code}</code> <span class="soft">HTTP status ${status}</span></p>
<h2>Cause</h2><p>${prose(cause)}</p>
<h2>What to do</h2><p>${prose(remedy)}</p>
<p><a href="/docs/errors">All errors</a></p>`,
  };
}

interface Entry {
  readonly status: number;
  readonly title: string;
  readonly cause: string;
  readonly remedy: string;
}

function find(among: Readonly<Record<string, Entry>>, code: string): Entry | undefined {
  return Object.hasOwn(among, code) ? among[code] : undefined;
}

function table(errors: Readonly<Record<string, Entry>>): Html {
  const rows = Object.entries(errors).map(
    ([code, { status, title }]) =>
      html`<tr><td>${status}</td><td><a href="/docs/errors/${code}"><code>${code}</code></a></td><td>${title}</td></tr>\n`,
  );
  return html`<div class="wide"><table><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows}</tbody></table></div>`;
}
