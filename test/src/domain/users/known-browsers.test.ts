import { expect, test } from "vitest";
import { knownBrowserOf, rememberBrowser } from "../../../../src/domain/users/known-browsers.ts";

const ann = { id: "acc_ann", passwordHash: "$argon2id$ann" };
const bob = { id: "acc_bob", passwordHash: "$argon2id$bob" };

test("a browser is known to the accounts that it was signed in to, each browser by a name of its own", () => {
  const held = rememberBrowser(rememberBrowser("", ann), bob);
  expect(knownBrowserOf(held, ann)).toMatch(/^browser [\w-]{22}$/);
  expect(knownBrowserOf(held, bob)).not.toBe(knownBrowserOf(held, ann));
  expect(knownBrowserOf(rememberBrowser("", ann), ann)).not.toBe(knownBrowserOf(held, ann));
  expect(knownBrowserOf(held, { id: "acc_eve", passwordHash: "$argon2id$eve" })).toBeNull();
  expect(knownBrowserOf(held, null)).toBeNull();
});

test("it ends with the password, and an account without one knows no browser", () => {
  const held = rememberBrowser("", ann);
  expect(knownBrowserOf(held, { ...ann, passwordHash: "$argon2id$new" })).toBeNull();
  expect(knownBrowserOf(held, { ...ann, passwordHash: null })).toBeNull();
  expect(rememberBrowser(held, { ...bob, passwordHash: null })).toBe(held);
});

test("a sign-in to the same account replaces its part; four accounts are remembered, the latest first", () => {
  expect(rememberBrowser(rememberBrowser("", ann), ann).split("~")).toHaveLength(1);
  const accounts = ["a", "b", "c", "d", "e"].map((id) => ({ id, passwordHash: `hash of ${id}` }));
  const held = accounts.reduce(rememberBrowser, "");
  expect(accounts.map((account) => knownBrowserOf(held, account) !== null)).toEqual([false, true, true, true, true]);
  expect(held).toMatch(/^[\w.~-]{1,400}$/);
});

test.each(["", "~", ".", "a.b", "x".repeat(10_000), `${"A".repeat(22)}.${"A".repeat(43)}`])(
  "%j is known to nobody",
  (held) => {
    expect(knownBrowserOf(held, ann)).toBeNull();
  },
);
