import type { Session } from "../../../domain/users/sessions.ts";
import { button, form, notice } from "../form.ts";
import { type Html, html } from "../html.ts";
import type { Page } from "../layout.ts";
import type { Post, Visit } from "../page-request.ts";

/** A visit of somebody who is signed in. */
export type Signed = Visit & { readonly session: Session };
export type SignedPost = Post & { readonly session: Session };

export const PATHS = {
  overview: "/dashboard",
  projects: "/dashboard/projects",
  orders: "/dashboard/orders",
  keys: "/dashboard/keys",
  apps: "/dashboard/apps",
  security: "/dashboard/security",
} as const;

type Tab = keyof typeof PATHS;

const LABELS: Readonly<Record<Tab, string>> = {
  overview: "Overview",
  projects: "Projects",
  orders: "Orders",
  keys: "API keys",
  apps: "Apps and agents",
  security: "Security",
};

export interface Content {
  readonly tab: Tab;
  readonly title: string;
  readonly body: Html;
  /** What has to be said before anything else. */
  readonly said?: Html | null;
}

/** A page of the dashboard: where one is, as whom, and the way out. */
export function frame(visit: Signed, { tab, title, body, said = null }: Content): Page {
  const tabs = (Object.keys(PATHS) as Tab[]).map(
    (name) => html`<a href="${PATHS[name]}"${name === tab ? html` aria-current="page"` : ""}>${LABELS[name]}</a>\n`,
  );
  const out = form(visit, "/sign-out", button("Sign out", { look: "quiet small" }));
  return {
    title: `${title} - Beckon`,
    forms: [],
    body: html`
<nav class="tabs" aria-label="Dashboard">${tabs}</nav>
<div class="who"><span>Signed in as ${visit.session.email}</span>${out}</div>
<h1>${title}</h1>
${said ?? ""}${body}`,
  };
}

/** What a form has done, told on the page it led to: the word stands in the address, the sentence here. */
export function done(visit: Visit, sentences: Readonly<Record<string, string>>): Html | null {
  const word = visit.query("done");
  return Object.hasOwn(sentences, word) ? notice(sentences[word]!, "good") : null;
}
