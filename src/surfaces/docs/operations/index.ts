import { operations } from "../../../../tools/index.ts";
import { type Access, isOfferedBy, scopesOf } from "../../../contract/operation.ts";
import type { Config } from "../../../platform/config/config.ts";
import type { Document } from "../document.ts";
import { table } from "../markdown.ts";
import { pageOf } from "../page.ts";
import { operationPage, operationPath } from "./page.ts";

/** The index of the operations that this deployment offers, and a page for each. */
export function operationDocuments(config: Config): readonly Document[] {
  const offered = operations.filter((operation) => isOfferedBy(operation, config));
  const index = pageOf("/docs/operations", config, {
    operations: table(
      ["operation", "REST", "needs"],
      offered.map(({ name, title, rest, access }) => [
        `[\`${name}\`](${operationPath(name)}): ${title}`,
        `\`${rest.method} ${rest.path}\``,
        inShort(access),
      ]),
    ),
  });
  return [index, ...offered.map((operation) => operationPage(operation, config))];
}

function inShort(access: Access): string {
  if (access.kind === "public") return "no credential";
  if (access.kind === "credential") return "any credential";
  const scopes = scopesOf(access).map((scope) => `scope \`${scope}\``);
  return [...scopes, ...(access.paid ? ["a paid account"] : [])].join(", ");
}
