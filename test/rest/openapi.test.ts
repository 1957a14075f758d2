import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, expect, test } from "vitest";
import { openApiDocument } from "../../rest/openapi.ts";
import { EVERYTHING } from "../../scripts/snapshots.ts";
import { errorsOf, isIdempotent } from "../../src/contract/operation.ts";
import { ERRORS } from "../../src/platform/errors/errors.ts";
import { operations } from "../../tools/index.ts";
import { testService } from "../support/service/service.ts";

const service = await testService();
afterAll(() => service.close());

const document = openApiDocument(EVERYTHING);

// biome-ignore lint/suspicious/noExplicitAny: a document is looked at as JSON
function entry(name: string): any {
  const { path, method } = operations.find((operation) => operation.name === name)!.rest;
  return document.paths[`/api/v1${path}`]![method.toLowerCase()];
}

test("the document is valid OpenAPI 3.1", async () => {
  const result = await new Validator().validate(JSON.parse(JSON.stringify(document)));
  expect(result).toMatchObject({ valid: true });
});

test("200: the document is served, and can be read from any origin", async () => {
  const response = await fetch(`${service.url}/openapi.json`);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(response.headers.get("cache-control")).toBe("public, max-age=300");
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument(service.config))));
});

test("the document links to the documentation and names a contact", () => {
  const { siteUrl } = EVERYTHING;
  expect(document.externalDocs.url).toBe(`${siteUrl}/docs`);
  expect(document["x-service-info"].docs.llms).toBe(`${siteUrl}/llms.txt`);
  const contactOf = (contact: string) => openApiDocument({ ...EVERYTHING, contact }).info;
  expect(contactOf("a@example.com")).toMatchObject({ contact: { email: "a@example.com" } });
  expect(contactOf("https://example.com/a")).toMatchObject({ contact: { url: "https://example.com/a" } });
  expect(contactOf("@operator")).toMatchObject({ contact: { name: "@operator", url: `${siteUrl}/docs` } });
  expect(openApiDocument(EVERYTHING).info.contact).toEqual({ url: `${siteUrl}/docs` });
});

for (const operation of operations) {
  test(`${operation.name}: each of its errors is documented under its status`, () => {
    const { responses } = entry(operation.name);
    for (const code of errorsOf(operation)) {
      const { schema } = responses[ERRORS[code].status].content["application/json"];
      expect(schema.allOf[1].properties.error.properties.code.enum).toContain(code);
    }
  });
}

test("each operation says which credentials it accepts", () => {
  expect(entry("get_pricing").security[0]).toEqual({});
  expect(entry("get_account").security).toEqual([{ bearer: [] }, { apiKey: [] }, { oauth2: [] }]);
  expect(entry("submit_urls").security).toContainEqual({ oauth2: ["index"] });
  expect(entry("pay_direct").security).toEqual([{}, { bearer: [] }, { apiKey: [] }, { oauth2: ["purchase"] }]);
});

test("each operation has a tag that is described", () => {
  const described = document.tags as { name: string; description: string }[];
  const used = new Set(operations.flatMap(({ name }) => entry(name).tags));
  expect(described.map(({ name }) => name).sort()).toEqual([...used].sort());
  for (const { description } of described) expect(description).toMatch(/^[A-Z].+\.$/);
});

test("law: a body is closed where unknown fields are refused, and names every field that is taken", () => {
  for (const operation of operations.filter(({ rest }) => rest.method === "POST")) {
    const { schema } = entry(operation.name).requestBody.content["application/json"];
    expect(schema.additionalProperties, operation.name).toBe(operation.effect === "read" ? undefined : false);
    const key = isIdempotent(operation) ? ["idempotency_key"] : [];
    const inPath = Object.keys(operation.input.shape).filter((name) => operation.rest.path.includes(`{${name}}`));
    expect([...Object.keys(schema.properties), ...inPath].sort()).toEqual(
      [...Object.keys(operation.input.shape), ...key].sort(),
    );
  }
});

test("each operation names its fields as path, query, header or body", () => {
  expect(entry("submit_urls").parameters.map((one: { name: string }) => one.name)).toEqual(["Idempotency-Key"]);
  expect(entry("submit_urls").requestBody).toMatchObject({ required: true });
  expect(entry("estimate_cost").requestBody).toMatchObject({ required: false });
  const cancel = entry("cancel_links");
  expect(cancel.parameters).toMatchObject([{ name: "project_id", in: "path", required: true }]);
  expect(Object.keys(cancel.requestBody.content["application/json"].schema.properties)).toEqual(["link_ids"]);
  expect(entry("list_projects").parameters.map((one: { in: string }) => one.in)).toEqual(Array(9).fill("query"));
  expect(entry("list_links").responses[200].content).toHaveProperty(["text/csv"]);
});

test("shapes that the specification closes are closed, and all others are open", () => {
  const { schemas } = document.components as { schemas: Record<string, { additionalProperties?: boolean }> };
  const closed = Object.keys(schemas).filter((id) => schemas[id]!.additionalProperties === false);
  expect(closed.sort()).toEqual(["Account", "Estimate", "Pricing", "Project"]);
});

test("the document has no bounds of safe integers, and no dangling reference", () => {
  const text = JSON.stringify(document);
  expect(text).not.toContain("9007199254740991");
  expect(text).not.toContain("$defs");
  expect(text).not.toContain("$schema");
  const references = [...text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)].map(([, id]) => id!);
  expect(references.filter((id) => !Object.hasOwn(document.components.schemas, id))).toEqual([]);
});
