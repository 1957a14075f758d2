import { once } from "node:events";
import { request } from "node:http";
import { afterAll, expect, test } from "vitest";
import { projectsOf } from "../../../../../src/domain/projects/list-projects.ts";
import { testService } from "../../../../support/service/service.ts";
import { NEW_PROJECT, sendList } from "../../../../support/website/list-form.ts";
import { signedIn, User } from "../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());

/**
 * Begins to send a form and does not finish. One that is refused, because a probe had its slot at that moment, is begun
 * again. @returns ends it
 */
async function heldForm(user: User): Promise<() => Promise<void>> {
  const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = {
    Cookie: cookie,
    "Content-Type": "application/x-www-form-urlencoded",
    "Sec-Fetch-Site": "same-origin",
  };
  let isEnded = false;
  const begin = () => {
    const sent = request(`${service.url}${NEW_PROJECT}`, { method: "POST", headers });
    sent.on("error", () => undefined);
    sent.on("response", (response) => {
      response.resume();
      if (!isEnded) held = begin();
    });
    sent.write("token=x&urls=");
    return sent;
  };
  let held = begin();
  await once(held, "socket");
  return async () => {
    isEnded = true;
    const answered = once(held, "response");
    held.end();
    await answered;
  };
}

test("503: a fifth form at once is asked to come back, with a page that says so; one after them is read", async () => {
  const { user } = await signedIn(service);
  const page = await user.get(NEW_PROJECT);
  const held = await Promise.all(Array.from({ length: 4 }, () => heldForm(user)));
  const fields = { urls: "https://example.com/" };
  await expect.poll(async () => (await sendList(user, page, { fields })).status).toBe(503);
  const refused = await sendList(user, page, { fields });
  expect(refused.text).toContain("Go back, where your list still is");
  expect(refused.headers.get("retry-after")).toBe("3");
  for (const end of held) await end();
  expect((await sendList(user, page, { fields })).status).toBe(200);
});

test("503: whoever is not signed in holds one of the four at most", async () => {
  const { user } = await signedIn(service);
  const page = await user.get(NEW_PROJECT);
  const stranger = new User(service);
  const end = await heldForm(stranger);
  await expect.poll(async () => (await sendList(stranger, page)).status).toBe(503);
  expect((await sendList(user, page, { fields: { urls: "https://example.com/" } })).status).toBe(200);
  await end();
});

test("a form that breaks off frees its slot", async () => {
  const { user } = await signedIn(service);
  const page = await user.get(NEW_PROJECT);
  for (let n = 0; n < 6; n++) {
    const headers = { "Content-Length": "1000", "Content-Type": "application/x-www-form-urlencoded" };
    const sent = request(`${service.url}${NEW_PROJECT}`, { method: "POST", headers });
    sent.on("error", () => undefined);
    sent.write("token=x");
    await once(sent, "socket");
    sent.destroy();
  }
  const fields = { urls: "https://example.com/" };
  await expect.poll(async () => (await sendList(user, page, { fields })).status).toBe(200);
});

test("a form without a file may come in the encoding of ordinary forms", async () => {
  const { user, accountId } = await signedIn(service);
  const form = (await user.get(NEW_PROJECT)).forms.find(({ action }) => action === NEW_PROJECT)!;
  const fields = form.fields.filter(([name]) => !["urls", "agreed"].includes(name));
  const done = await user.post(NEW_PROJECT, [...fields, ["urls", "https://example.com/"], ["agreed", "1"]]);
  expect(done.status).toBe(303);
  const { rows } = await projectsOf(service.db, accountId, { kind: "all", status: "any", limit: 9, offset: 0 });
  expect(rows).toHaveLength(1);
});

test.each([
  ["400 with a file too many", 400, twoFiles],
  ["400 with a field twice", 400, () => "kind=check&kind=instant"],
  ["400 for a type that no form has", 400, () => new Blob(["x"], { type: "text/plain" })],
  [
    "400 for a multipart body that has no end",
    400,
    () => new Blob(["--x\r\n"], { type: "multipart/form-data; boundary=x" }),
  ],
])("%s: nothing is done", async (_, status, body) => {
  const { user } = await signedIn(service);
  const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const given = body();
  const type = typeof given === "string" ? { "Content-Type": "application/x-www-form-urlencoded" } : undefined;
  const headers = { Cookie: cookie, "Sec-Fetch-Site": "same-origin", ...type };
  const response = await fetch(`${service.url}${NEW_PROJECT}`, { method: "POST", headers, body: given });
  expect(response.status).toBe(status);
});

function twoFiles(): FormData {
  const data = new FormData();
  for (const name of ["file", "file2"]) data.append(name, new Blob(["x"]), `${name}.txt`);
  return data;
}
