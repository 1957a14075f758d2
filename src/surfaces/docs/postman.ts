import { operations } from "../../../tools/index.ts";
import { requestOf } from "../../contract/example.ts";
import { type AnyOperation, isIdempotent, isOfferedBy } from "../../contract/operation.ts";
import type { Config } from "../../platform/config/config.ts";

/** A Postman collection, format 2.1.0 (schema.getpostman.com/json/collection/v2.1.0/docs), with a request per operation. */
export function postmanCollection(config: Config): object {
  const offered = operations.filter((operation) => isOfferedBy(operation, config));
  const folders = [...new Set(offered.map(folderOf))];
  return {
    info: {
      name: "Beckon",
      description: `Set \`api_key\` to a key of the account. ${config.siteUrl}/docs`,
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{api_key}}", type: "string" }] },
    variable: [
      { key: "base_url", value: `${config.siteUrl}/api/v1`, type: "string" },
      { key: "api_key", value: "", type: "string" },
    ],
    item: folders.map((name) => ({
      name,
      item: offered.filter((operation) => folderOf(operation) === name).map(requestItem),
    })),
  };
}

/** The folder of a request: the first segment of its path. */
function folderOf({ rest }: AnyOperation): string {
  return rest.path.split("/")[1]!;
}

function requestItem(operation: AnyOperation): object {
  const { name, title, description, rest, access } = operation;
  const { body } = requestOf(operation);
  const header = [
    ...(body ? [{ key: "Content-Type", value: "application/json" }] : []),
    ...(isIdempotent(operation) ? [{ key: "Idempotency-Key", value: "{{$guid}}" }] : []),
  ];
  return {
    name: title,
    request: {
      method: rest.method,
      description: `\`${name}\`: ${description}`,
      header,
      url: urlOf(operation),
      ...(access.kind === "public" ? { auth: { type: "noauth" } } : {}),
      ...(body
        ? { body: { mode: "raw", raw: JSON.stringify(body, null, 2), options: { raw: { language: "json" } } } }
        : {}),
    },
    response: [],
  };
}

/** Fields of the path become path variables of Postman. */
function urlOf(operation: AnyOperation): object {
  const { rest, example } = operation;
  const [, query = ""] = requestOf(operation).path.split("?");
  const path = rest.path.slice(1).replace(/\{(\w+)\}/g, ":$1");
  const fields = [...rest.path.matchAll(/\{(\w+)\}/g)].map(([, field]) => field!);
  const values = example as Readonly<Record<string, unknown>>;
  const variable = fields.map((key) => ({ key, value: String(values[key]) }));
  return {
    raw: `{{base_url}}/${path}${query ? `?${query}` : ""}`,
    host: ["{{base_url}}"],
    path: path.split("/"),
    ...(query ? { query: [...new URLSearchParams(query)].map(([key, value]) => ({ key, value })) } : {}),
    ...(variable.length > 0 ? { variable } : {}),
  };
}
