import { afterAll, beforeEach, expect, test } from "vitest";
import { matchesTag } from "../../rest/entity-tag.ts";
import { FATES } from "../../src/indexing/engines/sandbox/fate.ts";
import { DAY, MINUTE } from "../../src/platform/clock.ts";
import { testChecker } from "../support/service/checker.ts";
import { testService } from "../support/service/service.ts";

const service = await testService();
const { request, clock } = service;
afterAll(() => service.close());
beforeEach(() => clock.pass(MINUTE));

const ask = (path: string, key: string, tag?: string | null) =>
  request("GET", path, { key, headers: tag ? { "If-None-Match": tag } : {} });

async function submitted(urls = ["https://example.com/a?sandbox=day_14", "https://example.com/b"]) {
  const { key } = await service.account();
  const { json } = await request("POST", "/projects", { key, body: { urls, drip_days: 7 } });
  return { key, project: json.project.id as string };
}

test.each([
  [undefined, false],
  ["", false],
  ["*", true],
  ['"a"', true],
  ['W/"a"', true],
  ['"b", W/"a"', true],
  ['"b","c"', false],
  ['"A"', false],
  ["a", false],
])('If-None-Match %s has the tag W/"a": %s', (header, isKnown) => {
  expect(matchesTag(header, 'W/"a"')).toBe(isKnown);
});

test("304: every read that changes nothing, when it is asked again with the tag of its answer", async () => {
  const { key, project } = await submitted();
  const paths = ["/pricing", "/projects", `/projects/${project}`, `/projects/${project}/links`, "/ledger", "/sites"];
  paths.push(`/projects/${project}/links/lnk_${project.slice(4)}_1`, `/projects/${project}/links?limit=1`, "/orders");
  for (const path of paths) {
    const first = await ask(path, key);
    const tag = first.headers.get("etag");
    expect([path, first.status, first.headers.get("cache-control")]).toEqual([path, 200, "private, no-cache"]);
    expect(tag).toMatch(/^W\/"[\w.-]+"$/);
    const again = await ask(path, key, tag);
    expect([path, again.status, again.text, again.headers.get("etag")]).toEqual([path, 304, "", tag]);
    expect(again.headers.get("access-control-allow-origin")).toBe("*");
    const left = (answer: typeof again) => Number(answer.headers.get("ratelimit-remaining"));
    expect(left(again)).toBe(left(first) - 1);
    expect((await ask(path, key, '"another"')).status).toBe(200);
  }
});

test.each([
  ["list_links", "", 200],
  // Another link was cancelled.
  ["get_link", "/lnk_PROJECT_0", 304],
])(
  "200: links that were cancelled, sent or looked up since; 304 while only time passes: %s",
  async (_, link, cancelled) => {
    const { key, project } = await submitted();
    const checker = testChecker(service);
    const path = `/projects/${project}/links${link.replace("PROJECT", project.slice(4))}`;
    let tag: string | null = null;
    const changes = async () => {
      const answer = await ask(path, key, tag);
      if (answer.status === 200) tag = answer.headers.get("etag");
      return answer.status;
    };
    expect(await changes()).toBe(200);
    const day = async (n: number) => checker.until(clock.service() + n * DAY);
    await request("POST", `/projects/${project}/cancel`, {
      key,
      body: { link_ids: [`lnk_${project.slice(4)}_1`] },
    });
    expect(await changes()).toBe(cancelled);
    await day(1);
    expect(await changes()).toBe(200);
    expect(await changes()).toBe(304);
    clock.pass(MINUTE);
    expect(await changes()).toBe(304);
    await day(5);
    expect(await changes()).toBe(200);
  },
);

test("401, 403 and 404 come before 304, whatever the tag", async () => {
  const { key, project } = await submitted();
  const links = `/projects/${project}/links`;
  const linkIn = (id: string, position: number) => `${links}/lnk_${id.slice(4)}_${position}`;
  const stranger = await service.account();
  const buyer = await service.account({ scopes: ["purchase"] });
  for (const path of [links, linkIn(project, 1)]) {
    const tag = (await ask(path, key)).headers.get("etag");
    expect((await ask(path, stranger.key, "*")).status).toBe(404);
    expect((await ask(path, stranger.key, tag)).status).toBe(404);
    expect((await ask(path, "bk_test_00000000000000000000000000000000", tag)).status).toBe(401);
    expect((await ask(path, buyer.key, "*")).status).toBe(403);
    for (const missing of [linkIn(project, 2), linkIn("prj_000000000000", 0), `${links}/lnk_x`])
      expect([missing, (await ask(missing, key, "*")).status]).toEqual([missing, 404]);
    expect((await ask(linkIn(project, 2), key, tag)).status).toBe(404);
  }
});

test("the tags of two accounts' lists differ, and a page in another order of the same project is its own resource", async () => {
  const [one, other] = [await submitted(), await submitted()];
  const tagOf = async (path: string, key: string) => (await ask(path, key)).headers.get("etag");
  expect(await tagOf(`/projects/${one.project}/links`, one.key)).not.toBe(
    await tagOf(`/projects/${other.project}/links`, other.key),
  );
});

test("law: a tag changes whenever the answer does, of each link and of the list, for each fate through all its checks", async () => {
  const urls = Object.keys(FATES).map((fate) => `https://example.com/?sandbox=${fate}`);
  const { key, project } = await submitted(urls);
  const checker = testChecker(service);
  const paths = ["", ...urls.map((_, position) => `/lnk_${project.slice(4)}_${position}`)];
  const answers = new Map<string, Map<string, string>>(paths.map((path) => [path, new Map()]));
  const begin = clock.service();
  for (const day of [0, 1, 4, 5, 8, 14, 15, 16, 22]) {
    await checker.until(begin + day * DAY);
    clock.pass(MINUTE);
    for (const path of paths) {
      const { text, headers } = await ask(`/projects/${project}/links${path}`, key);
      const tag = headers.get("etag")!;
      expect([path, day, answers.get(path)!.get(tag) ?? text]).toEqual([path, day, text]);
      answers.get(path)!.set(tag, text);
    }
  }
  for (const [path, { size }] of answers) expect([path, size >= 2]).toEqual([path, true]);
});
