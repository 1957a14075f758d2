import { button, form, notice } from "../form.ts";
import { type Html, html } from "../html.ts";
import type { Page } from "../layout.ts";
import type { PageRequest, SignedInRequest } from "../page-request.ts";
import { PATHS } from "./paths.ts";

/** The tabs of the dashboard, in their order. */
const TABS = {
  overview: "Overview",
  projects: "Projects",
  orders: "Orders",
  keys: "API keys",
  apps: "Apps and agents",
  security: "Security",
} as const;

type Tab = keyof typeof TABS;

export interface DashboardContent {
  readonly tab: Tab;
  readonly title: string;
  readonly body: Html;
  /** A notice above the body. */
  readonly message?: Html | null;
}

/** A page of the dashboard, with its tabs, who is signed in, and a button to sign out. */
export function dashboardPage(request: SignedInRequest, { tab, title, body, message = null }: DashboardContent): Page {
  const tabs = (Object.keys(TABS) as Tab[]).map(
    (name) => html`<a href="${PATHS[name]}"${name === tab ? html` aria-current="page"` : ""}>${TABS[name]}</a>\n`,
  );
  const out = form(request, "/sign-out", button("Sign out", { variant: "quiet small" }));
  return {
    title: `${title} - Beckon`,
    forms: [],
    body: html`
<nav class="tabs" aria-label="Dashboard">${tabs}</nav>
<div class="who"><span>Signed in as ${request.session.email}</span>${out}</div>
<h1>${title}</h1>
${message ?? ""}${body}`,
  };
}

/**
 * Tells what a form has done, on the page that it redirected to.
 * @param sentences by the value of the query parameter `done`
 */
export function doneMessage(request: PageRequest, sentences: Readonly<Record<string, string>>): Html | null {
  const word = request.query("done");
  return Object.hasOwn(sentences, word) ? notice(sentences[word]!, "good") : null;
}
