import { operations } from "../../../../tools/index.ts";
import { type Access, isOfferedBy } from "../../../contract/operation.ts";
import type { Config } from "../../../platform/config/config.ts";
import type { Document } from "../document.ts";
import { page, table } from "../markdown.ts";
import { operationPage, operationPath } from "./page.ts";

/** The index of the operations that this deployment offers, and a page for each. */
export function operationDocuments(config: Config): readonly Document[] {
  const offered = operations.filter((operation) => isOfferedBy(operation, config));
  const index: Document = {
    path: "/docs/operations",
    title: "Operations",
    summary: "All operations, with their input, price, answer and errors.",
    section: "Reference",
    markdown: page(
      "# Operations",
      `Every operation is available as a REST call under \`${config.siteUrl}/api/v1\`, as an MCP tool at
\`${config.siteUrl}/mcp\`, and as a skill of the A2A agent at \`${config.siteUrl}/a2a\`, with the same input, answer,
errors and price.`,
      table(
        ["operation", "REST", "needs"],
        offered.map(({ name, title, rest, access }) => [
          `[\`${name}\`](${operationPath(name)}): ${title}`,
          `\`${rest.method} ${rest.path}\``,
          inShort(access),
        ]),
      ),
      "Scopes are those of the credential. A paid account is one that has bought credits at least once.",
      "For programs: [OpenAPI 3.1](/openapi.json), [a Postman collection](/postman.json).",
    ),
  };
  return [index, ...offered.map((operation) => operationPage(operation, config))];
}

function inShort(access: Access): string {
  if (access.kind === "public") return "no credential";
  if (access.kind === "credential") return "any credential";
  return access.paid ? `scope \`${access.scope}\`, a paid account` : `scope \`${access.scope}\``;
}
