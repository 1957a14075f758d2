import type { ComponentChildren, VNode } from "preact";
import { Notice } from "../components/notice.tsx";
import type { Page } from "./layout.tsx";
import { type PlaceName, titleOf } from "./navigation.tsx";
import type { PageRequest } from "./page-request.ts";

export interface DashboardContent {
  /** The page of the navigation that it is, or at which it stands. */
  readonly section: PlaceName;
  readonly title: string;
  /** The title as the page shows it; by default its text. */
  readonly heading?: VNode;
  readonly body: ComponentChildren;
  /** A notice above the body. */
  readonly message?: ComponentChildren;
}

/** A page of the dashboard, with its navigation. */
export function dashboardPage({ section, title, heading, body, message = null }: DashboardContent): Page {
  return {
    title: titleOf(section, title),
    forms: [],
    at: section,
    body: (
      <>
        <h1>{heading ?? title}</h1>
        {message}
        {body}
      </>
    ),
  };
}

/**
 * Tells what a form has done, on the page that it redirected to.
 * @param sentences by the value of the query parameter `done`
 */
export function doneMessage(request: PageRequest, sentences: Readonly<Record<string, string>>): VNode | null {
  const word = request.query("done");
  return Object.hasOwn(sentences, word) ? <Notice variant="good">{sentences[word]}</Notice> : null;
}
