import { afterAll, expect, test } from "vitest";
import { DAY } from "../../../../../src/platform/clock.ts";
import { type TestService, testService } from "../../../../support/service/service.ts";
import { projectOf } from "../../../../support/website/account-fixtures.ts";
import { signedIn } from "../../../../support/website/user.ts";

const moves: number[] = [];
const sandbox: TestService = await testService({
  advanceClock: async (at) => {
    moves.push(at);
    sandbox.clock.pass(0, at - sandbox.clock.service());
  },
});
const live = await testService();
afterAll(() => Promise.all([sandbox.close(), live.close()]));

async function withProject(service: TestService) {
  const { user, accountId } = await signedIn(service);
  const id = await projectOf(service, accountId, ["https://example.com/"]);
  return { user, path: `/dashboard/projects/${id}`, action: `/dashboard/projects/${id}/advance` };
}

test("303: a press leads to an hour after the day; a second press of the same button changes nothing", async () => {
  const { user, path, action } = await withProject(sandbox);
  const begin = sandbox.clock.service();
  const page = await user.get(path);
  const press = () => user.submit(page, { to: "4" }, action);
  expect([(await press()).location, sandbox.clock.service()]).toEqual([path, begin + 4 * DAY + DAY / 24]);
  expect((await press()).status).toBe(303);
  expect(moves).toHaveLength(1);
  const later = await user.get(path);
  expect(later.forms.find((form) => form.action === action)!.buttons).toEqual(["to=14"]);
});

test("404: the project of another account", async () => {
  const { user, path, action } = await withProject(sandbox);
  const page = await user.get(path);
  const token = page.forms[0]!.fields.find(([name]) => name === "token")!;
  const { action: others } = await withProject(sandbox);
  expect((await user.post(others, [token, ["to", "4"]])).status).toBe(404);
  expect(others).not.toBe(action);
  expect(moves).toHaveLength(1);
});

test("404: a live service does not move its clock, and its pages have no button for it", async () => {
  const { user, path, action } = await withProject(live);
  const page = await user.get(path);
  expect(page.text).not.toContain("Advance");
  const token = page.forms[0]!.fields.find(([name]) => name === "token")!;
  const before = live.clock.service();
  expect((await user.post(action, [token, ["to", "14"]])).status).toBe(404);
  expect(live.clock.service()).toBe(before);
});
