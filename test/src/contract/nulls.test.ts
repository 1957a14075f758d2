import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { dropNulls, selections, withoutNulls } from "../../../src/contract/nulls.ts";
import type { AnyOperation } from "../../../src/contract/operation.ts";
import { parseInput } from "../../../src/contract/parse-input.ts";
import { hashInput } from "../../../src/domain/calls/idempotency-keys.ts";
import { operations } from "../../../tools/index.ts";

const parse = (operation: AnyOperation, input: unknown) => parseInput(operation, withoutNulls(operation, input));

const fields = operations.flatMap((operation) =>
  Object.entries<z.ZodType>(operation.input.shape).map(([name, type]) => ({ operation, name, type })),
);
const optional = fields.filter(({ type }) => type.safeParse(undefined).success);
const named = (some: typeof fields) => some.map(({ operation, name }) => `${operation.name} ${name}`);

const hasMeaning = optional.filter(({ type }) => type.safeParse(null).success);
const isSelection = optional.filter(({ type }) => selections.has(type));

test("fields in which null is not as absent", () => {
  expect([named(hasMeaning), named(isSelection)]).toEqual([
    ["save_webhook events"],
    [...["resubmit reasons", "resubmit link_ids", "cancel_links link_ids"]],
  ]);
});

test.each(named(optional.filter((one) => !hasMeaning.includes(one) && !isSelection.includes(one))))(
  "law: null in %s is as absent, and hashes alike",
  (which) => {
    const { operation, name } = optional[named(optional).indexOf(which)]!;
    const { [name]: _, ...without } = operation.example;
    const expected = parse(operation, without);
    const input = parse(operation, { ...without, [name]: null });
    expect(input).toEqual(expected);
    expect(hashInput(input)).toBe(hashInput(expected));
  },
);

test.each(named(fields.filter((one) => !optional.includes(one))))("400 invalid_request: null in %s", (which) => {
  const { operation, name } = fields[named(fields).indexOf(which)]!;
  const input = { ...operation.example, [name]: null };
  expect(() => parse(operation, input)).toThrow(expect.objectContaining({ code: "invalid_request" }));
});

test.each(named(fields))("law: %s is no object, in which nulls would have to be looked for", (which) => {
  const { type } = fields[named(fields).indexOf(which)]!;
  expect(type.safeParse({}).success).toBe(false);
});

describe("400 invalid_request: null where absence would reach everything", () => {
  const cancelLinks = operations.find(({ name }) => name === "cancel_links")!;
  test.each([[null], [{ ...cancelLinks.example, link_ids: null }]])("%j", (input) => {
    expect(() => parse(cancelLinks, input)).toThrow(expect.objectContaining({ code: "invalid_request" }));
  });
});

test("a null that is a value stays one", () => {
  const saveWebhook = operations.find(({ name }) => name === "save_webhook")!;
  expect(parse(saveWebhook, { ...saveWebhook.example, events: null }).events).toBeNull();
});

test("null as the whole input is an input without fields", () => {
  const estimate = operations.find(({ name }) => name === "estimate_cost")!;
  expect(parse(estimate, null)).toEqual(parse(estimate, {}));
});

test("an unknown field of null is refused as unknown, also where every object has one of its name", () => {
  const submit = operations.find(({ name }) => name === "submit_urls")!;
  for (const name of ["drip_day", "constructor", "__proto__"]) {
    const input = JSON.parse(`{"urls":["https://example.com/"],"${name}":null}`);
    const fault = { fields: { issues: [{ path: name, message: expect.stringMatching(/^is not known/) }] } };
    expect(() => parse(submit, input)).toThrow(expect.objectContaining(fault));
  }
});

test("dropNulls: at any depth, but not in lists, nor in the opaque member", () => {
  const message = { a: null, b: { c: null, d: [null, { e: null, f: 0 }] }, input: { g: null }, h: { input: null } };
  dropNulls(message, "input");
  expect(message).toEqual({ b: { d: [null, { f: 0 }] }, input: { g: null }, h: {} });
});

test("dropNulls: nesting of any depth does not overflow the stack", () => {
  const deep = JSON.parse(`${'{"a":'.repeat(200_000)}null${"}".repeat(200_000)}`);
  expect(() => dropNulls(deep)).not.toThrow();
});
