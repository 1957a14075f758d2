import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { afterAll, describe, expect, test } from "vitest";
import { isTagged } from "../../rest/entity-tag.ts";
import { openApiDocument } from "../../rest/openapi.ts";
import { EVERYTHING } from "../../scripts/snapshots.ts";
import { errorsOf } from "../../src/contract/operation.ts";
import { LINK_CODES } from "../../src/contract/shapes/link-codes.ts";
import { ERRORS } from "../../src/platform/errors/errors.ts";
import { documentsOf } from "../../src/surfaces/docs/index.ts";
import { operations } from "../../tools/index.ts";
import { testService } from "../support/service/service.ts";

const document = JSON.parse(JSON.stringify(openApiDocument(EVERYTHING)));
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema({ $id: "document", components: document.components });

interface Media {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly $ref: string }>>;
}

interface Entry {
  readonly operationId: string;
  readonly parameters: { name: string; in: string; required: boolean; schema: object; example?: unknown }[];
  readonly requestBody?: { content: Record<string, Media> };
  readonly responses: Record<string, { content: Record<string, Media> }>;
}

const entries = (Object.values(document.paths) as Record<string, Entry>[]).flatMap((path) => Object.values(path));

function validatorOf(schema: object): ValidateFunction {
  return ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')));
}

/** The examples of a media type, with references followed. */
function examplesOf({ example, examples = {} }: Media): unknown[] {
  const named = Object.entries(examples).map(([code, { $ref }]) => {
    expect($ref).toBe(`#/components/examples/${code}`);
    return document.components.examples[code].value;
  });
  return example === undefined ? named : [example, ...named];
}

describe.each(entries.map((entry) => [entry.operationId, entry] as const))("%s", (_, entry) => {
  test("every response, the request body and every parameter that is needed has an example that its schema allows", () => {
    const media = [
      ...Object.entries(entry.requestBody?.content ?? {}),
      ...Object.values(entry.responses).flatMap(({ content = {} }) => Object.entries(content)),
    ];
    for (const [type, one] of media) {
      const valid = validatorOf(one.schema);
      const examples = examplesOf(one);
      expect(examples.length, type).toBeGreaterThan(0);
      for (const example of examples) expect(valid(example), JSON.stringify(valid.errors)).toBe(true);
    }
    for (const { name, in: where, required, schema, example } of entry.parameters) {
      if (required) expect(example, name).toBeDefined();
      if (example !== undefined) expect(validatorOf(schema)(example), `${where} ${name}`).toBe(true);
    }
  });

  test("documents exactly the statuses that it answers, for success and for errors", () => {
    const operation = operations.find(({ name }) => name === entry.operationId)!;
    const { rest, hadNothingToDo } = operation;
    const answered = [
      rest.status ?? 200,
      ...(hadNothingToDo ? [200] : []),
      ...(isTagged(operation) ? [304] : []),
      ...errorsOf(operation).map((code) => ERRORS[code].status),
    ];
    expect(Object.keys(entry.responses)).toEqual([...new Set(answered)].sort().map(String));
  });
});

test("403 is documented everywhere: a service on a loopback address refuses foreign origins", () => {
  for (const { operationId, responses } of entries) expect(responses, operationId).toHaveProperty("403");
});

describe("the examples of errors have the fields that calls are answered with", async () => {
  const service = await testService();
  afterAll(() => service.close());
  const paid = await service.account({ credits: 5 });
  const urls = Array.from({ length: 6 }, (_, i) => `https://example.com/${i}`);
  const many = Array.from({ length: 10_001 }, (_, i) => `https://example.com/${i}`);
  const post = (path: string, body: unknown, key = paid.key) => service.request("POST", path, { key, body });

  test.each([
    ["invalid_request", () => service.request("GET", "/projects?limit=1000", { key: paid.key })],
    ["no_valid_urls", () => post("/projects", { urls: ["example.com"] })],
    ["too_many_urls", () => post("/projects", { urls: many })],
    ["insufficient_credits", () => post("/projects", { urls })],
    ["payment_required", async () => post("/projects", { urls }, (await service.account({ paid: false })).key)],
    ["insufficient_scope", async () => post("/projects", { urls }, (await service.account({ scopes: ["read"] })).key)],
    ["unauthorized", () => service.request("GET", "/account")],
    ["not_found", () => service.request("GET", "/projects/prj_0123456789abc", { key: paid.key })],
    ["sitemap_unreachable", () => post("/sitemaps/read", { sitemap_url: `${service.site.url}/none.xml` })],
    ["payload_too_large", () => post("/checkout", { pack: "x".repeat(300_000) })],
    [
      "unsupported_media_type",
      () =>
        service.request("POST", "/projects", { key: paid.key, body: "x", headers: { "Content-Type": "text/plain" } }),
    ],
    ["unknown_pack", () => post("/checkout", { pack: "huge" })],
  ] as const)("%s", async (code, call) => {
    const { json } = await call();
    expect(json.error.code).toBe(code);
    const { error } = document.components.examples[code].value;
    expect(Object.keys(error).sort()).toEqual(Object.keys(json.error).sort());
  });
});

test("every code of a link is explained on the page of codes, and where the document describes the field", () => {
  const page = documentsOf(EVERYTHING).find(({ path }) => path === "/docs/codes")!;
  const { properties } = document.components.schemas.LinkWithChecks;
  const described = {
    failed: properties.error_code.description,
    notIndexed: properties.error_code.description,
    warnings: properties.warnings.description,
    details: properties.engines.description,
    reasons: properties.checks.items.properties.reason.description,
    notices: document.components.schemas.NotificationReceipt.properties.engines.description,
  };
  for (const [name, { codes }] of Object.entries(LINK_CODES)) {
    for (const [code, words] of Object.entries(codes)) {
      expect(page.markdown).toContain(`| \`${code}\` | ${words} |`);
      expect(described[name as keyof typeof described]).toContain(`- \`${code}\`: ${words}`);
    }
  }
});
