import { LINK_CODES } from "../../contract/shapes/link-codes.ts";
import type { Document } from "./document.ts";
import { page, table } from "./markdown.ts";

/** The page of the codes that a link has in its fields, made from their tables. */
export function codesDocument(): Document {
  return {
    path: "/docs/codes",
    title: "Codes of links",
    summary:
      "Why a link failed or is not indexed, what engines answered, and what was noticed on its page: every code.",
    section: "Reference",
    markdown: page(
      "# Codes of links",
      `A link says by codes what happened to it. Let programs decide by the codes, and show \`error_message\` to people. More
codes may be added: treat one that you do not know as the status of the link says. Codes of calls that were refused are
in [errors](/docs/errors).`,
      ...Object.values(LINK_CODES).flatMap(({ title, field, about, codes }) => [
        `## ${title}`,
        `The field \`${field}\`. ${about}`,
        table(
          ["code", "meaning"],
          Object.entries(codes).map(([code, words]) => [`\`${code}\``, words]),
        ),
      ]),
    ),
  };
}
