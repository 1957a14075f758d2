import { expect, test } from "vitest";
import { requestSignUp } from "../../../../src/domain/users/sign-up.ts";
import { HOUR } from "../../../../src/platform/clock.ts";
import { recordCalls } from "../../../support/service/argon2-calls.ts";
import { eachTest } from "../../../support/service/each-test.ts";
import { codeOf, linkIn, PASSWORD, testUsers, visitor } from "../../../support/website/test-users.ts";

const hash = recordCalls("hash");

const t = eachTest(testUsers);

const ask = (email: string, { password = PASSWORD, browser = "mine", ip = "192.0.2.1" } = {}) =>
  requestSignUp(t.services, {
    email,
    password,
    returnTo: "/claim",
    visitor: visitor(browser, ip),
    now: t.store.clock.now(),
  });
const rows = () => t.store.db.q.select().from(t.store.db.t.mailLinks);

test("a sign-up writes a row and sends a mail: there is no account yet, and neither the link nor the password is stored", async () => {
  await ask(" Ann@Example.com ");
  expect(await t.personOf("ann@example.com")).toBeNull();
  const [mail] = t.outbox;
  expect(mail).toMatchObject({ to: "ann@example.com" });
  expect(mail!.text).toContain(`https://beckon.test/confirm?link=${linkIn(mail)}\n`);
  const [row] = await rows();
  expect(row).toMatchObject({ purpose: "sign_up", email: "ann@example.com", returnTo: "/claim", usedAt: null });
  expect(JSON.stringify(row)).not.toContain(linkIn(mail));
  expect(row!.passwordHash).toMatch(/^\$argon2id\$/);
});

test("law: an address with an account gets the same answer after the same work, and its owner is told by mail", async () => {
  const id = await t.member("ann@example.com");
  const costs = [];
  for (const email of ["ann@example.com", "new@example.com"]) {
    hash.mockClear();
    expect(await ask(email)).toBeUndefined();
    costs.push(hash.mock.calls.length);
  }
  expect(costs).toEqual([1, 1]);
  expect(t.outbox.map(({ to }) => to)).toEqual(["ann@example.com", "new@example.com"]);
  expect(t.outbox[0]!.text).toContain("https://beckon.test/sign-in\n");
  expect(t.outbox[0]!.text).not.toContain("link=");
  expect(await t.events(id)).toEqual([]);
  expect(await rows()).toHaveLength(1);
});

test("law: an address without an account gets five mails an hour, one with an account two, and both are skipped silently beyond", async () => {
  await t.member("ann@example.com");
  for (const email of ["ann@example.com", "new@example.com"]) {
    for (let n = 0; n < 7; n++) expect(await ask(email)).toBeUndefined();
  }
  const to = (email: string) => t.outbox.filter((mail) => mail.to === email).length;
  expect([to("ann@example.com"), to("new@example.com")]).toEqual([2, 5]);
  t.store.clock.pass(HOUR);
  await ask("ann@example.com");
  expect(to("ann@example.com")).toBe(3);
});

test("429: the 21st request of a network in an hour, before anything is hashed; another network is not affected", async () => {
  for (let n = 0; n < 20; n++) await ask(`n${n}@example.com`);
  hash.mockClear();
  await expect(ask("one@example.com")).rejects.toMatchObject({
    code: "rate_limited",
    headers: { "Retry-After": "3600" },
  });
  expect(hash).not.toHaveBeenCalled();
  await ask("one@example.com", { ip: "192.0.2.2" });
});

test.each([
  ["ann@example.com\r\nBcc: bob@example.com", PASSWORD],
  ["not an address", PASSWORD],
  ["ann@example.com", "password123"],
  ["ann@example.com", "ann@example.com"],
])("400 for %j with %j: nothing is mailed or stored", async (email, password) => {
  expect(await codeOf(ask(email, { password }))).toBe("invalid_request");
  expect(t.outbox).toEqual([]);
  expect(await rows()).toEqual([]);
});
