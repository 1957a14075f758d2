import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { EVENT_TYPES, PUBLIC_TYPES } from "../../../../../src/domain/events/types.ts";
import { EVENT_LIST } from "../../../../../src/surfaces/mcp/events/catalog.ts";

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });

test("law: every type is listed that is not for people alone, and no other", () => {
  expect(EVENT_LIST.map(({ name }) => name)).toEqual(PUBLIC_TYPES);
  expect(PUBLIC_TYPES.filter((type) => EVENT_TYPES[type].isPrivate)).toEqual([]);
  expect(PUBLIC_TYPES).not.toContain("webhook.ping");
});

test.each(EVENT_LIST)(
  "$name: its example, and one with null where it may be, fit its schema",
  ({ name, payloadSchema }) => {
    const fits = ajv.compile(payloadSchema);
    const { example, fields } = EVENT_TYPES[name];
    expect(fits(example), JSON.stringify(fits.errors)).toBe(true);
    const nullable = Object.entries(fields).filter(([, what]) => what === "nullable");
    const nulls = Object.fromEntries(nullable.map(([field]) => [field, null]));
    expect(fits({ ...example, ...nulls, more: "may come" }), JSON.stringify(fits.errors)).toBe(true);
    expect(fits({})).toBe(false);
  },
);

test("a map may have any names, with values of one kind", () => {
  const dropped = EVENT_LIST.find(({ name }) => name === "links.dropped")!;
  const fits = ajv.compile(dropped.payloadSchema);
  const { example } = EVENT_TYPES["links.dropped"];
  expect(fits({ ...example, reasons: { http_404: 2, robots: 1 } })).toBe(true);
  expect(fits({ ...example, reasons: { http_404: "two" } })).toBe(false);
});

test("arguments narrow by what the data has, and by nothing else", () => {
  const narrowed = Object.fromEntries(
    EVENT_LIST.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties as object)]),
  );
  expect(narrowed).toMatchObject({
    "project.completed": ["project_id"],
    "watch.ran": ["project_id", "watch_id"],
    "site.verified": ["site_id"],
    "credits.low": [],
  });
  expect(EVENT_LIST.every(({ inputSchema }) => inputSchema.additionalProperties === false)).toBe(true);
});

test("each description says what has happened and what to do, without addresses of documents", () => {
  for (const { name, description } of EVENT_LIST) {
    expect(description, name).toMatch(/\. What to do: [A-Z].*\.$/);
    expect(description, name).not.toMatch(/\]\(/);
  }
});
