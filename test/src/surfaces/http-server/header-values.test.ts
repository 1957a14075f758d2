import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { valuesOf } from "../../../../src/surfaces/http-server/header-values.ts";

const request = (...rawHeaders: string[]) => ({ rawHeaders }) as unknown as IncomingMessage;

test("every value of a header comes in the order of the request, however its name is spelt", () => {
  const req = request("Host", "a", "X-API-Key", "1", "HOST", "b", "x-api-key", "1", "Hosts", "c");
  expect(valuesOf(req, "host")).toEqual(["a", "b"]);
  expect(valuesOf(req, "x-api-key")).toEqual(["1", "1"]);
});

test("a value that reads like the name of a header is not taken for one", () => {
  expect(valuesOf(request("X-Note", "Host", "Accept", "host"), "host")).toEqual([]);
});
