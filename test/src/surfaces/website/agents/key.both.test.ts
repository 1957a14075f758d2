import { afterAll, expect, test } from "vitest";
import { RequestGuard } from "../../../../../src/contract/authenticate.ts";
import { keysOf } from "../../../../../src/domain/credentials/keys.ts";
import { DAY, iso, MINUTE } from "../../../../../src/platform/clock.ts";
import { testService } from "../../../../support/service/service.ts";
import { ESCAPED, HOSTILE, statusOf } from "../../../../support/website/account-fixtures.ts";
import { signedIn } from "../../../../support/website/user.ts";

const service = await testService();
const { db, clock } = service;
afterAll(() => service.close());

const LIST = "/dashboard/keys";

/** A user with a key, made by the form. */
async function withKey() {
  const { user, accountId } = await signedIn(service);
  const made = await user.submit(await user.get(LIST), { name: "CI" }, LIST);
  const secret = /bk_test_[\w-]{32}/.exec(made.text)![0];
  const [{ id } = { id: "" }] = await keysOf(db, accountId);
  return { user, accountId, secret, path: `${LIST}/${id}` };
}

test("303: a key is renamed on its page, and the list leads there", async () => {
  const { user, path } = await withKey();
  expect((await user.get(LIST)).html).toContain(`href="${path}"`);
  const renamed = await user.submit(await user.get(path), { name: ` ${HOSTILE} ` }, `${path}/name`);
  expect([renamed.status, renamed.location]).toEqual([303, `${path}?done=renamed`]);
  const page = await user.follow(renamed);
  expect(page.text).toContain("The key has its new name");
  expect(page.html).toContain(ESCAPED);
  for (const name of [" ", "x".repeat(121)])
    expect((await user.submit(page, { name }, `${path}/name`)).status).toBe(400);
});

test("401 after its last day, until a later one is set; the pages say so", async () => {
  const { user, path, secret } = await withKey();
  const today = iso(clock.now()).slice(0, 10);
  const ended = await user.submit(await user.get(path), { last_day: today }, `${path}/end`);
  expect(ended.location).toBe(`${path}?done=end`);
  expect((await user.follow(ended)).text).toContain("ends after");
  expect(await statusOf(service, secret)).toBe(200);
  clock.pass(DAY);
  const refused = await service.request("GET", "/account", { key: secret });
  expect([refused.status, refused.json.error.code]).toEqual([401, "unauthorized"]);
  expect(refused.json.error.message).toContain("This API key ended at");
  expect(refused.headers.get("www-authenticate")).toContain('error="invalid_token"');
  const list = await user.get(LIST);
  expect(list.text).toContain("Ended keys");
  expect(list.text).toContain("ended after");
  expect(list.text).not.toContain("Active keys");
});

test("303 to confirm who one is, more than an hour after the sign-in; nothing changes, and the forms are not shown", async () => {
  const { user, path, accountId } = await withKey();
  const open = await user.get(path);
  clock.pass(61 * MINUTE);
  expect((await user.get(path)).forms.map(({ action }) => action)).not.toContain(`${path}/name`);
  for (const [form, fill] of [
    ["name", { name: "late" }],
    ["end", { last_day: "" }],
  ] as const) {
    const late = await user.submit(open, fill, `${path}/${form}`);
    expect([late.status, late.location]).toEqual([303, expect.stringContaining("/sign-in?return_to=")]);
  }
  expect((await keysOf(db, accountId))[0]).toMatchObject({ name: "CI", expiresAt: null });
});

test("400 for a last day that is no date, over, or too far away", async () => {
  const { user, path, accountId } = await withKey();
  const page = await user.get(path);
  for (const last_day of ["tomorrow", "2025-12-31", "2090-01-01", "2026-02-30"]) {
    const refused = await user.submit(page, { last_day }, `${path}/end`);
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("today or later")]);
  }
  expect((await keysOf(db, accountId))[0]?.expiresAt).toBeNull();
});

test("a key with an end is created by the form, and one with a wrong end is not", async () => {
  const { user, accountId } = await signedIn(service);
  const page = await user.get(LIST);
  expect((await user.submit(page, { name: "CI", last_day: "2025-01-01" }, LIST)).status).toBe(400);
  const last = iso(clock.now() + 3 * DAY).slice(0, 10);
  expect((await user.submit(page, { name: "CI", last_day: last }, LIST)).status).toBe(200);
  expect((await keysOf(db, accountId))[0]?.expiresAt).toBe(Date.parse(last) + DAY);
});

test("calls are shown by day", async () => {
  const { user, path, secret } = await withKey();
  expect((await user.get(path)).text).toContain("None. Calls are counted by UTC day");
  const guard = new RequestGuard(db, clock, service.config);
  for (let n = 0; n < 3; n++) await guard.admit({ apiKey: secret, ip: "192.0.2.1", resource: "/mcp" });
  await guard.flush();
  const page = await user.get(path);
  expect(page.text).toContain("3 calls, refused ones included");
  expect(page.html).toMatch(/<rect class="bar"[^>]*><title>\d+ \w{3}: 3 calls<\/title>/);
  expect((await user.get(LIST)).text).toContain("3 calls in the last 30 days");
});

test("404: the key of another account, by its page and its forms", async () => {
  const { path } = await withKey();
  const other = await withKey();
  expect((await other.user.get(path)).status).toBe(404);
  const token = (await other.user.get(other.path)).forms[0]!.fields.find(([name]) => name === "token")![1];
  for (const [form, field] of [
    ["name", ["name", "x"]],
    ["end", ["last_day", ""]],
  ] as const)
    expect((await other.user.post(`${path}/${form}`, [["token", token], [...field]])).status).toBe(404);
});
