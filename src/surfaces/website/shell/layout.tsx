import type { ComponentChildren, VNode } from "preact";
import { ICON_PATHS } from "../../../platform/icons.ts";
import { type Script, script, styleSheet } from "./assets.ts";
import { Deployment, type Offers } from "./deployment.tsx";
import { DashboardHeader, type SignedIn, SiteHeader } from "./header.tsx";
import { type PlaceName, SectionPages } from "./navigation.tsx";
import { type PagePreview, PreviewTags } from "./page-preview.tsx";
import { RawHtml } from "./raw-html.tsx";
import { renderDocument } from "./render.ts";

export interface Page {
  readonly title: string;
  readonly body: ComponentChildren;
  /** Where forms of this page may lead besides our own site (CSP, form-action); absent: the page has no form. */
  readonly forms?: readonly string[];
  /** A URI that the browser continues to by itself, without a script and without naming this page. */
  readonly leadsTo?: string;
  /** Who is signed in, null for nobody; absent: the page is the same for everybody. */
  readonly account?: SignedIn | null | undefined;
  /** On pages of the dashboard: at which page of its navigation it stands. */
  readonly at?: PlaceName;
  /** What was searched for in the whole account. */
  readonly search?: string;
  /** The path of the same page as Markdown. */
  readonly markdown?: string;
  /** What stands around a page of the docs: tools before it, and the navigation of the docs. */
  readonly docs?: { readonly tools: VNode; readonly nav: VNode };
  /** It shows a secret, so it is not compressed (compression.ts). */
  readonly showsSecret?: boolean;
  /** The answer to a form that the Back button may show again; it says nothing of an account. */
  readonly staysForBack?: boolean;
  /** What search engines and other sites show of a public page; absent: the page is private, and not to be indexed. */
  readonly preview?: PagePreview;
  /** Scripts that it needs besides the script of every page. */
  readonly scripts?: readonly Script[];
  /** One more, which changes what is shown at first: browsers wait for it before they show the page. */
  readonly firstScript?: Script | undefined;
}

/** A complete HTML document. It works without its script, which only makes some things more convenient. */
export function layout(page: Page, offers: Offers): string {
  return renderDocument(
    <Deployment.Provider value={offers}>
      <Layout {...page} />
    </Deployment.Provider>,
  );
}

/**
 * The id of the end of a page, before which browsers do not show it, so that nothing moves while it arrives in pieces: the
 * columns of a table become wider with each row.
 */
const PAGE_END = "page-end";

/** Where the first link of a page leads, past the header. */
const MAIN_ID = "main";

/** An attribute that the types of Preact do not know yet (html.spec.whatwg.org, "Blocking attributes"). */
const BLOCKS_RENDERING = { blocking: "render" };

function Layout(page: Page): VNode {
  const { title, body, account, at, search = "", markdown, docs, preview, scripts = [] } = page;
  const dashboard = at && account?.figures ? { at, account } : null;
  const firstScript = page.firstScript ?? (dashboard ? "times" : undefined);
  const main = (
    <main id={MAIN_ID} tabIndex={-1}>
      {dashboard && <SectionPages at={dashboard.at} role={dashboard.account.role} />}
      {body}
    </main>
  );
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        {preview ? <PreviewTags title={title} preview={preview} /> : <meta name="robots" content="noindex" />}
        <link rel="icon" href={ICON_PATHS.ico} sizes="48x48" />
        <link rel="icon" href={ICON_PATHS.svg} type="image/svg+xml" sizes="any" />
        <link rel="apple-touch-icon" href={ICON_PATHS.png} />
        {markdown && <link rel="alternate" type="text/markdown" href={markdown} />}
        <RawHtml as="style" html={styleSheet().text} />
        <link rel="expect" href={`#${PAGE_END}`} {...BLOCKS_RENDERING} />
        {firstScript && <script type="module" src={script(firstScript).path} {...BLOCKS_RENDERING} />}
        <script type="module" src={script("page").path} />
        {scripts.map((name) => (
          <script key={name} type="module" src={script(name).path} />
        ))}
      </head>
      <body class={docs ? "docs" : undefined}>
        <a class="skip" href={`#${MAIN_ID}`}>
          Skip to the content
        </a>
        {dashboard ? <DashboardHeader {...dashboard} search={search} /> : <SiteHeader account={account} />}
        {docs ? (
          <div class="docs-body">
            {docs.tools}
            {main}
            {docs.nav}
          </div>
        ) : (
          main
        )}
        <footer class="page-footer">
          <nav aria-label="About this service">
            <a href="/privacy">Privacy</a>
            <a href="/terms">Terms</a>
            <a href="/support">Support</a>
          </nav>
          {markdown && <a href={markdown}>This page as Markdown</a>}
        </footer>
        <span id={PAGE_END} hidden />
      </body>
    </html>
  );
}

/** Security headers of a page: nothing may load or run except its own inline style, and scripts and images of ours. */
export function pageHeaders({ forms, leadsTo }: Pick<Page, "forms" | "leadsTo">): Readonly<Record<string, string>> {
  // form-action also covers the redirect after a form (w3.org/TR/CSP3).
  const actions = forms ? ["'self'", ...forms] : ["'none'"];
  return {
    "Content-Security-Policy": [
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      `style-src 'sha256-${styleSheet().hash}'`,
      "img-src 'self'",
      "base-uri 'none'",
      `form-action ${actions.join(" ")}`,
      "frame-ancestors 'none'",
    ].join("; "),
    "X-Content-Type-Options": "nosniff",
    // With no-referrer, browsers would send `Origin: null` with our own forms.
    "Referrer-Policy": leadsTo === undefined ? "same-origin" : "no-referrer",
    ...(leadsTo === undefined ? {} : { Refresh: `0;url=${leadsTo}` }),
    "X-Frame-Options": "DENY",
  };
}
