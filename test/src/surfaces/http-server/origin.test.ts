import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import type { Refusal } from "../../../../src/platform/errors/errors.ts";
import { refuseForeignOrigin } from "../../../../src/surfaces/http-server/origin.ts";

const home = { host: "127.0.0.1", siteUrl: "https://beckon.example" };

function refusalOf(headers: Record<string, string>, config = home): string | null {
  try {
    refuseForeignOrigin({ headers } as unknown as IncomingMessage, config);
    return null;
  } catch (thrown) {
    return (thrown as Refusal).code;
  }
}

test.each([
  { host: "localhost" },
  { host: "localhost:3000" },
  { host: "127.0.0.1:8080" },
  { host: "[::1]:3000" },
  { host: "beckon.example" },
  { host: "localhost:3000", origin: "http://localhost:5173" },
  { host: "localhost:3000", origin: "https://beckon.example" },
])("on a loopback address, %j is accepted", (headers) => {
  expect(refusalOf(headers)).toBeNull();
});

test.each([
  { host: "evil.example" },
  { host: "localhost.evil.example:3000" },
  { host: "127.0.0.1.evil.example" },
  { host: "beckon.example:9999" },
  { host: "localhost", origin: "https://evil.example" },
  { host: "localhost", origin: "null" },
  { host: "localhost", origin: "chrome-extension://localhost" },
  { host: "" },
])("403 forbidden_origin: on a loopback address, %j is refused", (headers) => {
  expect(refusalOf(headers)).toBe("forbidden_origin");
});

test("on a public address every Host and Origin is accepted", () => {
  const headers = { host: "evil.example", origin: "https://evil.example" };
  expect(refusalOf(headers, { ...home, host: "0.0.0.0" })).toBeNull();
});
