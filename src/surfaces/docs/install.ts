import type { Config } from "../../platform/config/config.ts";
import { codeLink, cursorLink } from "../install/plugin.ts";
import type { Document, TextTab, TextTabs } from "./document.ts";
import { pageOf } from "./page.ts";

/** The sections of the page that are shown as tabs: where Beckon is installed. Every line in them is run or parsed by a test. */
const HOSTS = ["Claude", "Codex", "Cursor", "VS Code", "Gemini CLI", "Terminal"];

/** How each agent, editor and terminal gets the tools. */
export function installDocument(config: Config): Document {
  const links = { cursorLink: cursorLink(config), codeLink: codeLink(config) };
  const document = pageOf("/docs/install", config, links);
  const [introduction = "", ...sections] = document.markdown.split(/\n(?=## )/);
  const hosts: TextTabs = {
    kind: "tabs",
    name: "host",
    label: "What Beckon is installed in",
    tabs: sections.slice(0, HOSTS.length).map(tabOf),
  };
  return { ...document, parts: [introduction, hosts, sections.slice(HOSTS.length).join("\n")] };
}

function tabOf(section: string, at: number): TextTab {
  const title = HOSTS[at]!;
  const heading = `## ${title}\n\n`;
  if (!section.startsWith(heading)) throw new Error(`docs/install.md: section ${at + 1} is not about ${title}.`);
  return { id: title.toLowerCase().replaceAll(" ", "-"), title, markdown: section.slice(heading.length) };
}
