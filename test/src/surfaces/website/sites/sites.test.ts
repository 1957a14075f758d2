import { afterAll, expect, test } from "vitest";
import { testService } from "../../../../support/service/service.ts";
import { signedIn } from "../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());

const SITES = "/dashboard/sites";

test("303: a host is added, and the page gives its key file and where it has to be", async () => {
  const { user } = await signedIn(service);
  const added = await user.submit(await user.get(SITES), { host: "https://WWW.example.com/page" }, SITES);
  expect(added.status).toBe(303);
  expect(added.location).toMatch(/^\/dashboard\/sites\?host=www\.example\.com#site_/);
  const page = await user.follow(added);
  expect(page.text).toContain("www.example.com is added. Place its key file, then verify it.");
  const [, path] = /href="(\/dashboard\/sites\/\w+\/key)"/.exec(page.html)!;
  const [, address, key] = /href="(https:\/\/www\.example\.com\/(\w+)\.txt)"/.exec(page.html)!;
  expect(page.text).toContain(address);
  const file = await user.get(path!);
  expect(file.headers.get("content-disposition")).toBe(`attachment; filename=${key}.txt`);
  expect([file.html, file.headers.get("content-type")]).toEqual([key, "text/plain; charset=utf-8"]);
});

test("303: verified once its key file is there, and said to be so", async () => {
  const { user } = await signedIn(service);
  const host = `127.0.0.1:${service.site.port}`;
  const page = await user.follow(await user.submit(await user.get(SITES), { host }, SITES));
  const verify = () =>
    user.post(SITES, page.forms.find(({ fields }) => fields.some(([, value]) => value === host))!.fields);
  const failed = await user.follow(await verify());
  expect(failed.text).toContain(`The key file of ${host} was not found`);
  const [, key] = /href="https:\/\/[^/]+\/(\w+)\.txt"/.exec(page.html)!;
  service.site.serve(`/${key}.txt`, key!, { "Content-Type": "text/plain" });
  const verified = await user.follow(await verify());
  expect(verified.text).toContain(`${host}: Verified: a live service would send the site's pages`);
  expect(verified.text).toContain("Leave the file where it is.");
});

test("303: a verified host gets a new key, and its file in place of the old one", async () => {
  const { user } = await signedIn(service);
  const host = `127.0.0.1:${service.site.port}`;
  const page = await user.follow(await user.submit(await user.get(SITES), { host }, SITES));
  const keyOf = (html: string) => /href="https?:\/\/[^/]+\/(\w+)\.txt"/.exec(html)![1]!;
  const serve = (key: string) => service.site.serve(`/${key}.txt`, key, { "Content-Type": "text/plain" });
  const press = async (isNew: boolean) => {
    const { forms } = await user.get(SITES);
    const form = forms.find(
      ({ fields }) =>
        fields.some(([name]) => name === "rotate_key") === isNew && fields.some(([, value]) => value === host),
    );
    return user.follow(await user.post(SITES, form!.fields));
  };
  serve(keyOf(page.html));
  await press(false);
  const rotated = await press(true);
  expect(rotated.text).toContain(`${host} has a new key. See below where to place its file.`);
  expect(rotated.text).toContain("The old key is used until the file of the new one is found.");
  const key = keyOf(rotated.html);
  expect(key).not.toBe(keyOf(page.html));
  serve(key);
  expect((await press(false)).text).toContain("Leave the file where it is.");
});

test.each(["", "no host", "https://user@example.com/"])(
  "400 %j: said beside the field, which keeps it",
  async (host) => {
    const { user } = await signedIn(service);
    const page = await user.submit(await user.get(SITES), { host }, SITES);
    expect(page.status).toBe(400);
    expect(page.html).toContain('id="host-problem"');
    expect(page.forms.find(({ action }) => action === SITES)!.fields).toContainEqual(["host", host]);
  },
);

test("404: the key file of another account's site", async () => {
  const { user } = await signedIn(service);
  await user.submit(await user.get(SITES), { host: "example.com" }, SITES);
  const [path] = /\/dashboard\/sites\/\w+\/key/.exec((await user.get(SITES)).html)!;
  expect((await (await signedIn(service)).user.get(path)).status).toBe(404);
});
