import type { TextTabs } from "./document.ts";
import { page } from "./markdown.ts";

/** Tabs as Markdown: a section each. */
export function tabsToMarkdown({ tabs }: TextTabs): string {
  return page(...tabs.map(({ title, markdown }) => page(`## ${title}`, markdown).trimEnd())).trimEnd();
}
