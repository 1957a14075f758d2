import { ERRORS, type ErrorCode } from "../errors.ts";
import { html, prose } from "./html.ts";
import type { Page } from "./layout.ts";

/** The reference that every refusal's `docs` leads to, made of the table of errors. */
export function errorsPage(): Page {
  const rows = Object.entries(ERRORS).map(
    ([code, { status, title }]) =>
      html`<tr><td>${status}</td><td><a href="/docs/errors/${code}"><code>${code}</code></a></td><td>${title}</td></tr>\n`,
  );
  return {
    title: "Errors - Beckon",
    body: html`
<h1>Errors</h1>
<p>A refusal is JSON: <code>{"error": {"code", "message", "docs", …}}</code>. Branch on <code>code</code>; show
<code>message</code> to a person or a model. More fields may be added.</p>
<div class="wide"><table><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
<tbody>${rows}</tbody></table></div>`,
  };
}

/** @returns null when there is no such code */
export function errorPage(code: string): Page | null {
  if (!Object.hasOwn(ERRORS, code)) return null;
  const { status, title, cause, remedy } = ERRORS[code as ErrorCode];
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
