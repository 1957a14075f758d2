import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { openApiDocument } from "../../../rest/openapi.ts";
import type { ApiResponse } from "../service/request.ts";

interface Declared {
  readonly headers?: Record<string, { required?: boolean; schema: object }>;
  readonly content: Record<string, { schema: object }>;
}

/** Makes a function that lists what the OpenAPI document does not declare of a response: status, headers, body. */
export function openApiChecker(document: ReturnType<typeof openApiDocument>) {
  const validatorOf = validators(document.components);
  return (method: string, path: string, response: ApiResponse): string[] => {
    const responses = responsesAt(document, method, path);
    if (!responses || method === "OPTIONS") return [];
    const declared = responses[response.status];
    if (!declared) return [`status ${response.status} is not declared`];
    const problems: string[] = [];
    for (const [name, header] of Object.entries(declared.headers ?? {})) {
      const value = response.headers.get(name);
      if (value === null && header.required) problems.push(`${name} is missing`);
      if (value !== null && !isA(value, header.schema)) problems.push(`${name} is ${value}`);
    }
    for (const name of response.headers.keys()) {
      const known = /^(ratelimit-|retry-after|www-auth|idempotent-|payment-)/.test(name);
      if (known && !Object.keys(declared.headers ?? {}).some((one) => one.toLowerCase() === name)) {
        problems.push(`${name} is not declared`);
      }
    }
    const type = response.headers.get("content-type")?.split(";")[0] ?? "";
    // A response without a body has no type.
    if (!declared.content) return [...problems, ...(type || response.text ? ["a body is not declared"] : [])];
    const content = declared.content[type];
    if (!content) return [...problems, `content of type "${type}" is not declared`];
    if (response.json === null) return problems;
    const valid = validatorOf(content.schema);
    if (!valid(response.json)) problems.push(errorsOf(valid));
    return problems;
  };

  function errorsOf({ errors }: ValidateFunction): string {
    return (errors ?? []).map(({ instancePath, message }) => `data${instancePath} ${message}`).join(", ");
  }

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

/** By the text of a document's components: most services have the same ones, and compiling their schemas takes long. */
const known = new Map<string, (schema: object) => ValidateFunction>();

function validators(components: object): (schema: object) => ValidateFunction {
  const text = JSON.stringify(components);
  const before = known.get(text);
  if (before) return before;
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema({ $id: "document", components });
  const compiled = new Map<string, ValidateFunction>();
  const validatorOf = (schema: object) => {
    const absolute = absoluteText(schema);
    const valid = compiled.get(absolute) ?? ajv.compile(JSON.parse(absolute));
    compiled.set(absolute, valid);
    return valid;
  };
  known.set(text, validatorOf);
  return validatorOf;
}

/** Makes the references of a schema absolute, so that it can be compiled outside the document. */
function absoluteText(schema: object): string {
  return JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/');
}
