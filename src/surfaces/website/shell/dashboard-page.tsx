import type { ComponentChildren, VNode } from "preact";
import { Notice } from "../components/notice.tsx";
import { PATHS } from "./addresses.ts";
import type { Page } from "./layout.tsx";
import type { PageRequest } from "./page-request.ts";

/** The sections of the dashboard, in their order. */
const SECTIONS = {
  overview: "Overview",
  projects: "Projects",
  newProject: "New project",
  watches: "Watches",
  sites: "Sites",
  connections: "Connections",
  credits: "Credits",
  keys: "API keys",
  apps: "Apps and agents",
  webhooks: "Webhooks",
  people: "People",
  notices: "Notices",
  security: "Security",
} as const;

type Section = keyof typeof SECTIONS;

export interface DashboardContent {
  readonly section: Section;
  readonly title: string;
  /** The title as the page shows it; by default its text. */
  readonly heading?: VNode;
  readonly body: ComponentChildren;
  /** A notice above the body. */
  readonly message?: ComponentChildren;
}

/** A page of the dashboard, whose sections stand in the header. */
export function dashboardPage({ section, title, heading, body, message = null }: DashboardContent): Page {
  return {
    title: `${title} - Beckon`,
    forms: [],
    sections: <Sections current={section} />,
    body: (
      <>
        <h1>{heading ?? title}</h1>
        {message}
        {body}
      </>
    ),
  };
}

function Sections({ current }: { current: Section }): VNode {
  return (
    <nav class="sections" aria-label="Dashboard">
      {(Object.keys(SECTIONS) as Section[]).map((name) => (
        <a key={name} href={PATHS[name]} aria-current={name === current ? "page" : undefined}>
          {SECTIONS[name]}
        </a>
      ))}
    </nav>
  );
}

/**
 * Tells what a form has done, on the page that it redirected to.
 * @param sentences by the value of the query parameter `done`
 */
export function doneMessage(request: PageRequest, sentences: Readonly<Record<string, string>>): VNode | null {
  const word = request.query("done");
  return Object.hasOwn(sentences, word) ? <Notice variant="good">{sentences[word]}</Notice> : null;
}
