import { Ajv2020 } from "ajv/dist/2020.js";
import type { openApiDocument } from "../../../rest/openapi.ts";
import type { ApiResponse } from "../service/request.ts";

interface Declared {
  readonly headers?: Record<string, { required?: boolean; schema: object }>;
  readonly content: Record<string, { schema: object }>;
}

/** Says what of an answer the OpenAPI document does not declare: status, headers, body. */
export function openApiChecker(document: ReturnType<typeof openApiDocument>) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema({ $id: "document", components: document.components });
  return (method: string, path: string, answer: ApiResponse): string[] => {
    const responses = responsesAt(document, method, path);
    if (!responses || method === "OPTIONS") return [];
    const declared = responses[answer.status];
    if (!declared) return [`status ${answer.status} is not declared`];
    const faults: string[] = [];
    for (const [name, header] of Object.entries(declared.headers ?? {})) {
      const value = answer.headers.get(name);
      if (value === null && header.required) faults.push(`${name} is missing`);
      if (value !== null && !isA(value, header.schema)) faults.push(`${name} is ${value}`);
    }
    for (const name of answer.headers.keys()) {
      const known = /^(ratelimit-|retry-after|www-auth|idempotent-|payment-)/.test(name);
      if (known && !Object.keys(declared.headers ?? {}).some((one) => one.toLowerCase() === name)) {
        faults.push(`${name} is not declared`);
      }
    }
    const type = answer.headers.get("content-type")?.split(";")[0] ?? "";
    const content = declared.content[type];
    if (!content) return [...faults, `content of type "${type}" is not declared`];
    if (answer.json === null) return faults;
    const valid = ajv.compile(absolute(content.schema));
    if (!valid(answer.json)) faults.push(ajv.errorsText(valid.errors));
    return faults;
  };

  function isA(value: string, schema: { type?: string; const?: string }): boolean {
    if (schema.type === "integer") return /^\d+$/.test(value);
    return schema.const === undefined || schema.const === value;
  }
}

function responsesAt(document: ReturnType<typeof openApiDocument>, method: string, path: string) {
  const paths = Object.entries(document.paths).sort(([a], [b]) => a.split("{").length - b.split("{").length);
  const found = paths.find(([template]) =>
    new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}(\\.csv)?$`).test(path),
  );
  const operation = found?.[1][method === "HEAD" ? "get" : method.toLowerCase()];
  return (operation as { responses: Record<string, Declared> } | undefined)?.responses;
}

/** References as they are from outside the document. */
function absolute(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'));
}
