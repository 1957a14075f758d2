import { CRAWLER_NAMES, crawlerNamed } from "../../indexing/visits/crawlers.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Document } from "./document.ts";
import { pageOf } from "./page.ts";

const WORDS = {
  search: "search",
  person: "a person who asks an assistant",
  training: "training",
  other: "other products",
} as const;

/** How access logs are imported and pushed, with the table of the crawlers that are known. */
export function visitsDocument(config: Config): Document {
  const rows = CRAWLER_NAMES.map((name) => `| ${name} | ${WORDS[crawlerNamed(name).purpose]} |`);
  return pageOf("/docs/visits", config, { crawlers: rows.join("\n") });
}
