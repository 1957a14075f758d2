import type { VNode } from "preact";

/**
 * Text that is HTML already: rendered Markdown, highlighted code, pictures. This is the only place where text gets into a
 * page without being escaped, so whoever calls it has made the HTML itself, never a user or another server.
 */
export function RawHtml({ html, as: Tag = "div", ...attributes }: RawHtmlProps): VNode {
  return <Tag {...attributes} dangerouslySetInnerHTML={{ __html: html }} />;
}

interface RawHtmlProps {
  readonly html: string;
  /** The element around it. */
  readonly as?: "div" | "code" | "style" | "span";
  readonly class?: string;
}
