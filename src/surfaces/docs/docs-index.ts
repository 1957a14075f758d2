import type { Document, Section } from "./document.ts";
import { list, page } from "./markdown.ts";

/** `/docs`: the list of all docs pages. */
export function docsIndexDocument(docs: readonly Document[]): Document {
  const sections: readonly Section[] = ["Get started", "Guides", "Reference", "Operations"];
  return {
    path: "/docs",
    title: "Docs",
    summary: "The list of all docs pages.",
    section: "Get started",
    markdown: page(
      "# Docs",
      `Beckon submits URLs to search engines, checks whether they were indexed, and returns the credits of those that were
not. Every page is also available as Markdown: send \`Accept: text/markdown\`, or add \`.md\` to its address.`,
      ...sections.flatMap((section) => [`## ${section}`, entries(docs, section)]),
      "## For machines",
      `- [OpenAPI 3.1](/openapi.json)
- [Postman collection](/postman.json): set \`base_url\` and \`api_key\`
- [auth.md](/auth.md): how an agent signs in`,
    ),
  };
}

function entries(docs: readonly Document[], section: Section): string {
  const listed = docs.filter((one) => one.section === section);
  return list(listed.map(({ path, title, summary }) => `[${title}](${path}): ${summary}`));
}
