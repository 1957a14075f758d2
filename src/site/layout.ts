import { createHash } from "node:crypto";
import { Html, html } from "./html.ts";
import { STYLE } from "./style.ts";

export interface Page {
  readonly title: string;
  readonly body: Html;
}

/** A whole document. There is no script on any page. */
export function layout({ title, body }: Page): string {
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
<nav aria-label="Site"><a href="/pricing">Pricing</a> <a href="/docs/errors">Errors</a> <a href="/openapi.json">OpenAPI</a> <a href="/dashboard">Dashboard</a></nav></header>
<main>${body}</main>
</body>
</html>
`;
  return page.text;
}

/** What protects a page: nothing may load or run but the one style that stands in it. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  "Content-Security-Policy": [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "X-Frame-Options": "DENY",
};
