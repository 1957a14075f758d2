import type { Document, Section } from "./document.ts";
import { list, page } from "./markdown.ts";

/** The index of the docs. */
export function docsIndexDocument(docs: readonly Document[]): Document {
  const sections: readonly Section[] = ["Begin", "Guides", "Reference", "Operations"];
  return {
    path: "/docs",
    title: "Docs",
    summary: "All documents of Beckon.",
    section: "Begin",
    markdown: page(
      "# Docs",
      `Beckon submits URLs to search engines, looks whether they came in, and gives back the credits of those that did not.
These pages are also Markdown: ask with \`Accept: text/markdown\`, or add \`.md\` to the address.`,
      ...sections.flatMap((section) => [`## ${section}`, entries(docs, section)]),
      "## For machines",
      `- [OpenAPI 3.1](/openapi.json)
- [Postman collection](/postman.json): set \`base_url\` and \`api_key\`
- [auth.md](/auth.md): how an agent gets in`,
    ),
  };
}

function entries(docs: readonly Document[], section: Section): string {
  const its = docs.filter((one) => one.section === section);
  return list(its.map(({ path, title, summary }) => `[${title}](${path}): ${summary}`));
}
