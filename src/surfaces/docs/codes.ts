import { LINK_CODES } from "../../contract/shapes/link-codes.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Document } from "./document.ts";
import { page, table } from "./markdown.ts";
import { pageOf } from "./page.ts";

/** The page of the codes that a link has in its fields, made from their tables. */
export function codesDocument(config: Config): Document {
  const sections = Object.values(LINK_CODES).flatMap(({ title, field, about, codes }) => [
    `## ${title}`,
    `The field \`${field}\`. ${about}`,
    table(
      ["code", "meaning"],
      Object.entries(codes).map(([code, words]) => [`\`${code}\``, words]),
    ),
  ]);
  return pageOf("/docs/codes", config, { codes: page(...sections).trimEnd() });
}
