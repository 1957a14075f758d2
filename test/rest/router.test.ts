import { expect, test, vi } from "vitest";
import { openApiDocument } from "../../rest/openapi.ts";
import { match, methodsAt } from "../../rest/router.ts";
import { EVERYTHING } from "../../scripts/snapshots.ts";

vi.mock("../../tools/index.ts", async (original) => {
  const { operations } = await original<typeof import("../../tools/index.ts")>();
  const elsewhere = { ...operations[0]!, surfaces: ["mcp"], rest: { method: "GET", path: "/elsewhere" } };
  return { operations: [...operations, elsewhere] };
});

test("404 not_found: an operation of another surface has no REST address, and is not documented", () => {
  expect(() => match("GET", "/elsewhere")).toThrow(/no such address/);
  expect(methodsAt("/elsewhere")).toEqual(["DELETE", "GET", "HEAD", "PATCH", "POST", "OPTIONS"]);
  expect(Object.keys(openApiDocument(EVERYTHING).paths)).not.toContain("/api/v1/elsewhere");
});

test("405 method_not_allowed: Allow names the methods of both operations at an address", () => {
  expect(methodsAt("/credits/x402")).toEqual(["GET", "HEAD", "POST", "OPTIONS"]);
  expect(() => match("DELETE", "/credits/x402")).toThrow(/GET, HEAD, POST, OPTIONS/);
});
