import type { JsonSchema } from "../src/contract/json-schema.ts";
import { LINK_CODES, type LinkCodes } from "../src/contract/shapes/link-codes.ts";

const { failed, notIndexed, warnings, details, reasons, notices } = LINK_CODES;

/** Adds what each code of a link means to the fields that hold codes. */
export function withCodes(schemas: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  const all = { ...schemas };
  for (const id of ["Link", "LinkWithChecks"]) if (all[id]) all[id] = ofLink(all[id]);
  const { NotificationReceipt: receipt } = all;
  if (receipt) all.NotificationReceipt = described(receipt, { engines: listOf(notices) });
  return all;
}

function ofLink(schema: JsonSchema): JsonSchema {
  const link = described(schema, {
    error_code: listOf(failed, notIndexed),
    error_message: "The code in a sentence.",
    warnings: listOf(warnings),
    engines: listOf(details),
  });
  const { checks } = link.properties as Record<string, JsonSchema>;
  if (!checks) return link;
  const items = described(checks.items as JsonSchema, { reason: listOf(reasons) });
  return { ...link, properties: { ...(link.properties as object), checks: { ...checks, items } } };
}

function described(schema: JsonSchema, descriptions: Readonly<Record<string, string>>): JsonSchema {
  const properties = { ...(schema.properties as Record<string, JsonSchema>) };
  for (const [name, description] of Object.entries(descriptions))
    properties[name] = { ...properties[name], description };
  return { ...schema, properties };
}

/** Markdown: each field with its codes. */
function listOf(...all: readonly LinkCodes[]): string {
  return all
    .map(({ about, codes }) => {
      const lines = Object.entries(codes).map(([code, words]) => `- \`${code}\`: ${words}`);
      return `${about} More codes may be added.\n\n${lines.join("\n")}`;
    })
    .join("\n\n");
}
