import { afterAll, expect, test, vi } from "vitest";
import { exportOf } from "../../../../../src/domain/exports/exports.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../../../../src/platform/clock.ts";
import { startExporter } from "../../../../../src/process/exporter.ts";
import { openSessionOf } from "../../../../support/database/people.ts";
import { eventually } from "../../../../support/service/eventually.ts";
import { testService } from "../../../../support/service/service.ts";
import { unzip } from "../../../../support/service/unzip.ts";
import { signedIn, User } from "../../../../support/website/user.ts";

const service = await testService();
const { db, clock } = service;
const errors: object[] = [];
const log = { error: (fields: object) => void errors.push(fields) };
afterAll(() => service.close());

const PATH = "/dashboard/security/export";

/** Runs the worker until the export of an account is ready. */
async function makeAll(accountId: string): Promise<void> {
  vi.useFakeTimers({ toFake: ["setInterval"] });
  const stop = startExporter(service, log as never);
  vi.advanceTimersByTime(3 * SECOND);
  vi.useRealTimers();
  await eventually(async () => expect((await exportOf(db, accountId, clock.now()))?.completedAt).not.toBeNull());
  await stop();
}

const request = async (user: User) => user.submit(await user.get(PATH), {}, PATH);

/** The file, as a browser gets it. */
async function download(user: User, path: string): Promise<Response> {
  const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return fetch(`${service.url}${path}`, { redirect: "manual", headers: { ...user.headers, Cookie: cookie } });
}

test("an export is requested by one button, made in the background, mailed, and downloaded by its owner", async () => {
  const { user, accountId, email } = await signedIn(service);
  expect((await user.get("/dashboard/security")).html).toContain(`href="${PATH}"`);
  const asked = await request(user);
  expect([asked.status, asked.location]).toEqual([303, PATH]);
  expect((await user.get(PATH)).text).toContain("The export will begin in a few seconds");
  await makeAll(accountId);
  expect(errors).toEqual([]);
  expect(service.outbox).toMatchObject([{ to: email, subject: "Your Beckon export is ready" }]);
  expect(service.outbox[0]!.text).toContain(`\n\nhttp://beckon.test${PATH}\n\n`);
  const page = await user.get(PATH);
  expect(page.text).toContain("The export is ready");
  const [, path] = /href="(\/dashboard\/security\/export\/exp_\w+)"/.exec(page.html)!;
  const answer = await download(user, path!);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/zip"]);
  expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="beckon-export-[\d-]+\.zip"$/);
  const file = Buffer.from(await answer.arrayBuffer());
  expect(Number(answer.headers.get("content-length"))).toBe(file.length);
  expect(JSON.parse(unzip(file).get("json/account.json")!)).toMatchObject([{ id: accountId, email }]);
});

test("404: another account's export, one that was replaced, and one that has expired", async () => {
  const { user, accountId } = await signedIn(service);
  await request(user);
  await makeAll(accountId);
  const path = `${PATH}/${(await exportOf(db, accountId, clock.now()))!.id}`;
  const other = await signedIn(service);
  expect((await download(other.user, path)).status).toBe(404);
  expect((await download(user, path)).status).toBe(200);
  await request(user);
  expect((await download(user, path)).status).toBe(404);
  await makeAll(accountId);
  const newer = `${PATH}/${(await exportOf(db, accountId, clock.now()))!.id}`;
  clock.pass(6 * DAY);
  expect((await download(user, newer)).headers.get("location")).toContain("/sign-in?");
  clock.pass(DAY);
  expect((await download(await signedInAgain(accountId), newer)).status).toBe(404);
});

/** The same account in another browser. */
async function signedInAgain(accountId: string): Promise<User> {
  const user = new User(service);
  const session = { accountId, browser: "Firefox on Linux", ip: "127.0.0.1", now: clock.now() };
  user.cookies.set("sid", await db.tx((tx) => openSessionOf(tx, session)));
  return user;
}

test("303 to confirm who one is: for requesting an hour after the sign-in, for downloading a day after it", async () => {
  const { user, accountId } = await signedIn(service);
  await request(user);
  await makeAll(accountId);
  const path = `${PATH}/${(await exportOf(db, accountId, clock.now()))!.id}`;
  const page = await user.get(PATH);
  clock.pass(HOUR + MINUTE);
  expect((await user.submit(page, {}, PATH)).location).toBe(
    "/sign-in?return_to=%2Fdashboard%2Fsecurity%2Fexport&again=1",
  );
  expect((await download(user, path)).status).toBe(200);
  clock.pass(DAY);
  const late = await download(user, path);
  expect([late.status, late.headers.get("location")]).toEqual([303, expect.stringContaining("/sign-in?return_to=")]);
});

test("a hundred requests make one export and send one mail; after three in a day 429 with when to come back", async () => {
  const { user, accountId, email } = await signedIn(service);
  const page = await user.get(PATH);
  const answers = await Promise.all(Array.from({ length: 100 }, () => user.submit(page, {}, PATH)));
  expect(new Set(answers.map(({ status, location }) => `${status} ${location}`))).toEqual(new Set([`303 ${PATH}`]));
  for (let n = 0; n < 3; n++) {
    if (n > 0) expect((await request(user)).status).toBe(303);
    await makeAll(accountId);
  }
  expect(service.outbox.filter(({ to }) => to === email)).toHaveLength(3);
  const refused = await request(user);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
});

test("the page asks whether it has changed, and gets 304 while it has not", async () => {
  const { user } = await signedIn(service);
  await request(user);
  const page = await user.get(PATH);
  const [, version] = /data-live="([^"]+)"/.exec(page.html)!;
  expect((await user.get(PATH, { "If-None-Match": `W/"${version}"` })).status).toBe(304);
});
