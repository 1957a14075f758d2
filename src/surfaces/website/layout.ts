import { createHash } from "node:crypto";
import { Html, html } from "./html.ts";
import { ICON } from "./icon.ts";
import { STYLE } from "./style.ts";

export interface Page {
  readonly title: string;
  readonly body: Html;
  /** Where forms of this page may lead besides our own site (CSP, form-action); absent: the page has no form. */
  readonly forms?: readonly string[];
  /** Whether the reader is signed in; absent: the page is the same for everybody. */
  readonly isSignedIn?: boolean;
  /** The path of the same page as Markdown. */
  readonly markdown?: string;
  /** Navigation beside the page. */
  readonly nav?: Html;
}

/** A complete HTML document. No page has a script. */
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
${nav ? html`<a class="to-contents" href="#contents">All docs pages</a>\n` : ""}<main>${body}</main>
${nav ?? ""}${markdown ? html`<footer><a href="${markdown}">This page as Markdown</a></footer>\n` : ""}</body>
</html>
`;
  return page.text;
}

const SIGN_IN = html`
<a class="in" href="/sign-in">Sign in</a>`;

/** Security headers of a page: nothing may load or run except its own inline style and images of ours. */
export function pageHeaders({ forms }: Pick<Page, "forms">): Readonly<Record<string, string>> {
  // form-action also covers the redirect after a form (w3.org/TR/CSP3).
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
    // With no-referrer, browsers would send `Origin: null` with our own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
  };
}

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");
