import { Collection, type Item } from "postman-collection";
import { expect, test } from "vitest";
import { isOfferedBy } from "../../../../src/contract/operation.ts";
import { readConfig } from "../../../../src/platform/config/config.ts";
import { postmanCollection } from "../../../../src/surfaces/docs/index.ts";
import { operations } from "../../../../tools/index.ts";

const config = readConfig({ SITE_URL: "http://beckon.test" });
const collection = new Collection(postmanCollection(config));

const items: Item[] = [];
collection.forEachItem((item) => void items.push(item));

test("law: the collection has a request for every offered operation, at its address and with its example", () => {
  const offered = operations.filter((operation) => isOfferedBy(operation, config));
  expect(items.map(({ name }) => name).sort()).toEqual(offered.map(({ title }) => title).sort());
  for (const { title, rest, example } of offered) {
    const { request } = items.find(({ name }) => name === title)!;
    const address = `${request.url.getHost()}/${request.url.path.join("/")}`;
    expect([request.method, address]).toEqual([rest.method, `{{base_url}}${rest.path.replace(/\{(\w+)\}/g, ":$1")}`]);
    const sent = {
      ...Object.fromEntries(request.url.variables.map(({ key, value }) => [key, value])),
      ...Object.fromEntries(request.url.query.map(({ key, value }) => [key, value])),
      ...JSON.parse(request.body?.raw ?? "{}"),
    };
    // A query knows text only.
    const asSent = (value: unknown) => (rest.method === "GET" ? String(value) : value);
    const expected = Object.entries(example as object).map(([field, value]) => [field, asSent(value)]);
    expect(sent).toEqual(Object.fromEntries(expected));
  }
});

test("law: the API key is one variable, used by every request that needs it", () => {
  expect(collection.variables.toObject()).toEqual({ base_url: "http://beckon.test/api/v1", api_key: "" });
  for (const item of items) {
    const operation = operations.find(({ title }) => title === item.name)!;
    const auth = item.getAuth();
    expect([item.name, auth.type]).toEqual([item.name, operation.access.kind === "public" ? "noauth" : "bearer"]);
    if (auth.type === "bearer") expect(auth.parameters().toObject()).toEqual({ token: "{{api_key}}" });
  }
});
