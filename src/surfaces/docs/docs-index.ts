import type { Config } from "../../platform/config/config.ts";
import type { Document, Section } from "./document.ts";
import { list } from "./markdown.ts";
import { pageOf } from "./page.ts";

/** `/docs`: the list of all docs pages. */
export function docsIndexDocument(docs: readonly Document[], config: Config): Document {
  const entries = (section: Section) =>
    list(
      docs
        .filter((one) => one.section === section)
        .map(({ path, title, summary }) => `[${title}](${path}): ${summary}`),
    );
  return pageOf("/docs", config, {
    getStarted: entries("Get started"),
    guides: entries("Guides"),
    reference: entries("Reference"),
    operations: entries("Operations"),
  });
}
