import { afterAll, expect, test } from "vitest";
import { testService } from "../../../../../support/service/service.ts";
import { NEW_PROJECT, submitList } from "../../../../../support/website/list-form.ts";
import { signedIn, type User } from "../../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());

const LIST = "https://example.com/a\nhttps://example.com/b\nHTTPS://EXAMPLE.com/a\nno url\n";

/** Asks as the script of the form does. */
async function repeats(user: User, urls: string, token?: string) {
  const form = (await user.get(NEW_PROJECT)).forms.find(({ action }) => action === NEW_PROJECT);
  const body = new FormData();
  body.append("token", token ?? form?.fields.find(([name]) => name === "token")?.[1] ?? "");
  body.append("urls", urls);
  const { status, html } = await user.postBody(`${NEW_PROJECT}/repeats`, body);
  return [status, JSON.parse(html)];
}

test("200: the URLs of a list that an index project of the account has", async () => {
  const { user } = await signedIn(service);
  expect(await repeats(user, LIST)).toEqual([200, { submitted: 0 }]);
  await submitList(user, { fields: { urls: LIST } });
  expect(await repeats(user, `${LIST}https://example.com/new`)).toEqual([200, { submitted: 2 }]);
  expect(await repeats(user, "")).toEqual([200, { submitted: 0 }]);
  await submitList(user, { fields: { urls: "https://example.com/checked", kind: "check" } });
  expect(await repeats(user, "https://example.com/checked")).toEqual([200, { submitted: 0 }]);
});

test("200: says nothing of what others have submitted", async () => {
  const [{ user: one }, { user: other }] = [await signedIn(service), await signedIn(service)];
  await submitList(one, { fields: { urls: LIST } });
  expect(await repeats(other, LIST)).toEqual([200, { submitted: 0 }]);
});

test("403 and 401: a page without the token of the session, and a visitor who is signed out, learn nothing", async () => {
  const { user } = await signedIn(service);
  expect(await repeats(user, LIST, "wrong")).toEqual([403, {}]);
  user.cookies.delete("sid");
  expect(await repeats(user, LIST)).toEqual([401, {}]);
});
