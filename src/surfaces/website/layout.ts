import { createHash } from "node:crypto";
import { Html, html } from "./html.ts";
import { ICON } from "./icon.ts";
import { STYLE } from "./style.ts";

export interface Page {
  readonly title: string;
  readonly body: Html;
  /** Where forms of this page may lead beside here, as sources of a content security policy; absent: it has no form. */
  readonly forms?: readonly string[];
  /** Whether one is signed in who sees it; absent: the page is the same for everybody. */
  readonly isSignedIn?: boolean;
  /** Where the same stands as Markdown. */
  readonly markdown?: string;
  /** Navigation of the pages that this one is among. */
  readonly nav?: Html;
}

/** A whole document. There is no script on any page. */
export function layout({ title, body, isSignedIn, markdown, nav }: Page): string {
  const alternate = markdown ? html`\n<link rel="alternate" type="text/markdown" href="${markdown}">` : "";
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${ICON}">${alternate}
<style>${new Html(STYLE)}</style>
</head>
<body${nav ? html` class="docs"` : ""}>
<header><a href="/"><strong>Beckon</strong></a>
<nav aria-label="Site"><a href="/docs">Docs</a> <a href="/pricing">Pricing</a> <a href="/dashboard">Dashboard</a></nav>${
    isSignedIn === false ? SIGN_IN : ""
  }</header>
${nav ? html`<a class="to-contents" href="#contents">All pages of the docs</a>\n` : ""}<main>${body}</main>
${nav ?? ""}${markdown ? html`<footer><a href="${markdown}">This page as Markdown</a></footer>\n` : ""}</body>
</html>
`;
  return page.text;
}

const SIGN_IN = html`
<a class="in" href="/sign-in">Sign in</a>`;

/** What protects a page: nothing may load or run but the one style that stands in it, and pictures of ours. */
export function pageHeaders({ forms }: Pick<Page, "forms">): Readonly<Record<string, string>> {
  // The redirect after a form counts as its action too (w3.org/TR/CSP3, form-action).
  const actions = forms ? ["'self'", ...forms] : ["'none'"];
  return {
    "Content-Security-Policy": [
      "default-src 'none'",
      `style-src 'sha256-${STYLE_HASH}'`,
      "img-src 'self'",
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
