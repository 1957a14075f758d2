import { afterAll, describe, expect, test } from "vitest";
import { clientName, clientOf, registerClient } from "../../../../src/domain/oauth/clients.ts";
import { testStore } from "../../../support/database/store.ts";

const store = await testStore();
afterAll(() => store.close());

describe("the name of an app", () => {
  test.each([
    ["Cursor", "Cursor"],
    ["", "An app"],
    [" \t\r\n ", "An app"],
    ["\u200b\u2060\ufeff\u3164\u2800", "An app"],
    ["a\r\nSet-Cookie: x", "a Set-Cookie: x"],
    ["a\u0000b\u001bc\u0085d\u007f", "abcd"],
    ["Bank \u202egnikcah\u202c", "Bank gnikcah"],
    ["a\u2066b\u2069\u200e\u200f\u061cc", "abc"],
    ["Good\u2028Beckon\u2029App", "Good Beckon App"],
    ["lone \ud800 half", "lone half"],
    ["tag\u{e0041}\u{e007f}s", "tags"],
    [`Z${"\u0301".repeat(50)}algo`, `Z${"\u0301".repeat(3)}algo`],
    ['<b>Böcker & "Søn"</b>', '<b>Böcker & "Søn"</b>'],
    ["x".repeat(500), "x".repeat(120)],
    ["🙂".repeat(121), "🙂".repeat(120)],
  ])("%j is shown as %j", (given, shown) => {
    expect(clientName(given).replace(/\s+/g, " ")).toBe(shown);
  });
});

test("a registered client is found by its id only", async () => {
  const scopes = ["read", "index"] as const;
  const app = { name: "Test", redirectUris: ["https://app.example/cb", "cursor://cb"], scopes, now: store.clock.now() };
  const client = await store.db.tx((tx) => registerClient(tx, app));
  expect(client.id).toMatch(/^cli_[0-9a-z]{20}$/);
  expect(await clientOf(store.db, client.id)).toEqual(client);
  expect(client).toMatchObject({ name: "Test", redirectUris: app.redirectUris, scopes });
  for (const other of ["", "cli_", client.id.toUpperCase(), `${client.id} `, "%", "' or 1=1 --"])
    expect(await clientOf(store.db, other)).toBeNull();
});
