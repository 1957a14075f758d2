import { Fragment, type VNode } from "preact";
import type { Config } from "../../../platform/config/config.ts";
import { type Document, markdownPath, type Part, type TextTabs } from "../../docs/index.ts";
import { Tabs } from "../components/tabs.tsx";
import type { Page } from "../shell/layout.tsx";
import { DocsNav, DocsTools } from "./docs-nav.tsx";
import { FrontPage } from "./front-page.tsx";
import type { Highlight } from "./highlight.ts";
import { anchorOf, Markdown, parseMarkdown, splitAtSections } from "./markdown.tsx";
import { Answer, Calls, Errors } from "./operation-parts.tsx";
import { textsOf } from "./part-texts.ts";

/** The page of a document, within `documents`. Pages of the docs have a search, a navigation, and links at headings. */
export function documentPage(
  document: Document,
  documents: readonly Document[],
  config: Config,
  highlight: Highlight,
): Page {
  const { path, title, summary } = document;
  const isDocs = path === "/docs" || path.startsWith("/docs/") || path === "/auth";
  return {
    title: path === "/" ? title : `${title} - Beckon`,
    body: bodyOf(document, isDocs, config, highlight),
    preview: { address: config.siteUrl + path, description: summary, siteUrl: config.siteUrl },
    markdown: markdownPath(path),
    ...(isDocs ? docsFrame(documents, path) : {}),
    ...(document.parts?.some(hasTabs) ? { firstScript: "docs-tabs" } : {}),
  };
}

/** Whether it is shown as tabs. */
function hasTabs(part: Part): boolean {
  return typeof part !== "string" && (part.kind === "calls" || part.kind === "tabs");
}

function bodyOf(document: Document, isDocs: boolean, config: Config, highlight: Highlight): VNode {
  if (document.path === "/") return <FrontPage config={config} />;
  if (isDocs) return <DocsBody document={document} highlight={highlight} />;
  return <Markdown text={document.markdown} highlight={highlight} />;
}

/** What stands around every page of the docs. */
export function docsFrame(
  documents: readonly Document[],
  path: string,
  query?: string,
): Pick<Page, "docs" | "scripts"> {
  const tools = query === undefined ? <DocsTools /> : <DocsTools query={query} />;
  return { docs: { tools, nav: <DocsNav documents={documents} path={path} /> }, scripts: ["docs"] };
}

/** Pages with fewer sections are short enough to be seen as a whole. */
const SECTIONS_OF_A_LONG_PAGE = 3;

function DocsBody({ document, highlight }: { document: Document; highlight: Highlight }): VNode {
  const [first = "", ...parts] = document.parts ?? splitAtSections(document.markdown);
  const sections = sectionsOf(parts);
  return (
    <div class={document.parts && "reference"}>
      <DocumentPart part={first} highlight={highlight} />
      {sections.length >= SECTIONS_OF_A_LONG_PAGE && <OnThisPage sections={sections} />}
      {parts.map((part, at) => (
        <Fragment key={at}>{part !== "" && <DocumentPart part={part} highlight={highlight} />}</Fragment>
      ))}
    </div>
  );
}

function DocumentPart({ part, highlight }: { part: Part; highlight: Highlight }): VNode {
  if (typeof part === "string") return <Markdown text={part} highlight={highlight} hasAnchors />;
  switch (part.kind) {
    case "calls":
      return <Calls calls={part.calls} highlight={highlight} />;
    case "answer":
      return <Answer answer={part} highlight={highlight} />;
    case "errors":
      return <Errors errors={part.errors} />;
    case "tabs":
      return <TextTabsPart part={part} highlight={highlight} />;
    case "columns":
      return (
        <div class="columns">
          {part.texts.map((text) => (
            <Markdown key={text} text={text} highlight={highlight} hasAnchors />
          ))}
        </div>
      );
  }
}

function TextTabsPart({ part, highlight }: { part: TextTabs; highlight: Highlight }): VNode {
  const tabs = part.tabs.map(({ id, title, markdown }) => ({
    id,
    title,
    content: <Markdown text={markdown} highlight={highlight} />,
  }));
  return <Tabs name={part.name} label={part.label} tabs={tabs} />;
}

/** The headings of level 2 outside of tabs, as they stand in the Markdown. */
function sectionsOf(parts: readonly Part[]): string[] {
  return parts
    .filter((part) => !hasTabs(part))
    .flatMap(textsOf)
    .flatMap((markdown) => {
      const tokens = parseMarkdown(markdown);
      return tokens.flatMap(({ type, tag }, at) =>
        type === "heading_open" && tag === "h2" ? [tokens[at + 1]!.content] : [],
      );
    });
}

function OnThisPage({ sections }: { sections: readonly string[] }): VNode {
  return (
    <nav class="on-this-page" aria-label="On this page">
      <ul>
        {sections.map((section) => (
          <li key={section}>
            <a href={`#${anchorOf(section)}`}>{section.replaceAll("`", "")}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
