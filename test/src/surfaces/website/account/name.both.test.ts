import { afterAll, expect, test } from "vitest";
import { accountById } from "../../../../../src/domain/accounts/accounts.ts";
import { testService } from "../../../../support/service/service.ts";
import { ESCAPED, HOSTILE } from "../../../../support/website/account-fixtures.ts";
import { signedIn } from "../../../../support/website/user.ts";

const service = await testService();
const { db } = service;
afterAll(() => service.close());

const PROFILE = "/dashboard/profile";
const PATH = `${PROFILE}/name`;

test("303: the account has its new name on every page, escaped, and the log says so", async () => {
  const { user, email } = await signedIn(service, { email: "ann@example.com" });
  const page = await user.get(PROFILE);
  expect(page.text).toContain(`Signed in as ${email}`);
  const done = await user.submit(page, { name: HOSTILE }, PATH);
  expect([done.status, done.location]).toEqual([303, `${PROFILE}?done=renamed`]);
  const after = await user.follow(done);
  expect(after.html).toContain(`Signed in as </span>${ESCAPED} (${email})`);
  expect((await user.get("/dashboard/security")).text).toContain("Name of the account changed");
});

test("a name is shown without invisible characters and line breaks", async () => {
  const { user, accountId } = await signedIn(service);
  await user.submit(await user.get(PROFILE), { name: "  Ann\u202e\u200b\n  Example " }, PATH);
  expect((await accountById(db, accountId)).name).toBe("Ann Example");
});

test("400: a name of blanks, of invisible characters, or that is too long; the name stays", async () => {
  const { user, accountId } = await signedIn(service);
  const before = (await accountById(db, accountId)).name;
  const page = await user.get(PROFILE);
  for (const name of ["", "  ", "\u200b\u2060", "x".repeat(81)])
    expect((await user.submit(page, { name }, PATH)).status).toBe(400);
  expect((await accountById(db, accountId)).name).toBe(before);
});
