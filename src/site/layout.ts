import { createHash } from "node:crypto";
import { Html, html } from "./html.ts";
import { STYLE } from "./style.ts";

export interface Page {
  readonly title: string;
  readonly body: Html;
  /** Where forms of this page may lead beside here, as sources of a content security policy; absent: it has no form. */
  readonly forms?: readonly string[];
  /** Whether the page is made for one who is signed in; those that are the same for everybody are not. */
  readonly isSignedIn?: boolean;
}

/** A whole document. There is no script on any page. */
export function layout({ title, body, isSignedIn = false }: Page): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<header><a href="/"><strong>Beckon</strong></a>
<nav aria-label="Site"><a href="/pricing">Pricing</a> <a href="/docs/errors">Errors</a> <a href="/openapi.json">OpenAPI</a> <a href="/dashboard">Dashboard</a></nav>${
    isSignedIn
      ? ""
      : html`
<a class="in" href="/sign-in">Sign in</a>`
  }</header>
<main>${body}</main>
</body>
</html>
`;
  return page.text;
}

/** What protects a page: nothing may load or run but the one style that stands in it. */
export function pageHeaders({ forms }: Pick<Page, "forms">): Readonly<Record<string, string>> {
  // The redirect after a form counts as its action too (w3.org/TR/CSP3, form-action).
  const actions = forms ? ["'self'", ...forms] : ["'none'"];
  return {
    "Content-Security-Policy": [
      "default-src 'none'",
      `style-src 'sha256-${STYLE_HASH}'`,
      "base-uri 'none'",
      `form-action ${actions.join(" ")}`,
      "frame-ancestors 'none'",
    ].join("; "),
    "X-Content-Type-Options": "nosniff",
    // To ourselves in full, so that a form is known to be ours; to nobody else.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
  };
}

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");
