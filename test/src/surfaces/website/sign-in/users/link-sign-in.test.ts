import { afterAll, expect, onTestFinished, test } from "vitest";
import type { Config } from "../../../../../../src/platform/config/config.ts";
import { demoKey, demoSignInUrl } from "../../../../../../src/process/demo-key.ts";
import { scratchFolder } from "../../../../../support/service/cli.ts";
import { testService } from "../../../../../support/service/service.ts";
import { User } from "../../../../../support/website/user.ts";

const service = await testService({ config: { databaseUrl: `file:${scratchFolder(afterAll)}/beckon.db` } });
afterAll(() => service.close());

/** What a start does. @returns the address that it prints */
async function started({ db, config, clock } = service): Promise<string> {
  const instance = { db, config, clock } as unknown as Parameters<typeof demoKey>[0];
  await demoKey(instance);
  return (await demoSignInUrl(instance))!;
}

test("200, then 303: a button signs the browser in to the demo account", async () => {
  const user = new User(service);
  const page = await user.get(await started());
  expect([page.status, page.text]).toEqual([200, expect.stringContaining("demo@beckon.localhost")]);
  const done = await user.submit(page);
  expect([done.status, done.location]).toEqual([303, "/dashboard"]);
  expect((await user.get("/dashboard")).text).toContain("10,000");
});

test("opening the link uses nothing, in however many browsers; the button works once", async () => {
  const url = await started();
  const users = [new User(service), new User(service), new User(service)];
  const pages = await Promise.all(users.map((user) => user.get(url)));
  expect(pages.map(({ status }) => status)).toEqual([200, 200, 200]);
  const answers = [];
  for (const [at, user] of users.entries()) answers.push((await user.submit(pages[at]!)).status);
  expect(answers).toEqual([303, 410, 410]);
  expect((await users[1]!.get("/dashboard")).status).toBe(303);
  expect((await new User(service).get(url)).status).toBe(410);
});

test("410 once the service was started again", async () => {
  const [first, second] = [await started(), await started()];
  const user = new User(service);
  const late = await user.get(first);
  expect([late.status, late.text]).toEqual([410, expect.stringContaining("npm start")]);
  expect((await user.get(second)).status).toBe(200);
});

test("200 /sign-in says how to get a new link, since the demo account has no password", async () => {
  const user = new User(service);
  expect((await user.get("/sign-in")).text).toContain("npm start");
  await user.submit(await user.get(await started()));
  const again = await user.get("/sign-in?again=1");
  expect(again.text).toContain("The demo account has no password.");
  expect((await user.submit(again, { password: "a guess" })).status).toBe(401);
  expect((await user.submit(await user.get(await started()))).status).toBe(303);
});

test.each<[string, Partial<Config>]>([
  ["a live service", { mode: "live" }],
  ["a service that other machines reach", { host: "0.0.0.0" }],
])("200 /sign-in of %s does not mention a demo account", async (_, config) => {
  const other = await testService({ config });
  onTestFinished(() => other.close());
  expect((await new User(other).get("/sign-in")).text).not.toMatch(/demo/i);
});

test("403 without the token of the form", async () => {
  const link = new URL(await started()).searchParams.get("link")!;
  expect((await new User(service).post("/sign-in/demo", [["link", link]])).status).toBe(403);
});

test.each<[string, Partial<Config>]>([
  ["a live service", { mode: "live" }],
  ["a service that other machines reach", { host: "0.0.0.0" }],
])("404 in %s, with a link that is good elsewhere", async (_, config) => {
  const other = await testService({ config, sharedWith: service });
  onTestFinished(() => other.close());
  const url = await started();
  const user = new User(other);
  expect((await user.get(url)).status).toBe(404);
  const page = await user.get("/sign-in");
  const token = new Map(page.forms[0]!.fields).get("token")!;
  const link = new URL(url).searchParams.get("link")!;
  const fields = [["token", token] as const, ["link", link] as const];
  expect((await user.post("/sign-in/demo", fields)).status).toBe(404);
  expect((await user.get("/dashboard")).status).toBe(303);
});
