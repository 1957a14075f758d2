import { afterAll, describe, expect, test } from "vitest";
import { consumeLimit } from "../src/domain/limits/window.ts";
import { LIMITS } from "../src/platform/limits.ts";
import { testService } from "./support/service/service.ts";
import { SURFACES } from "./support/service/surface-client.ts";

const service = await testService();
afterAll(() => service.close());

const { key } = await service.account({ credits: 1_000 });
const post = async (path: string, body: object) => (await service.request("POST", path, { key, body })).json;
const urls = ["https://shop.example/shoes", "https://shop.example/hats"];
const { project } = await post("/projects", { urls, name: "Autumn shoes" });
await post("/checks", { urls: ["https://blog.example/shoes"] });
await post("/sites", { host: "shop.example" });
const { order } = await post("/checkout", { pack: "basic" });

describe.each(Object.entries(SURFACES))("%s: search", (_, connect) => {
  const client = connect(service);
  afterAll(() => client.close());
  const search = async (q: string, more = {}, keys = { key }) =>
    (await client.call("search", { q, ...more }, keys)).body;

  test("200: links by a part of their URL, projects by name, sites by host, and each as its own operation shows it", async () => {
    const found = await search("shoes");
    expect(found.links.map(({ url }: { url: string }) => url)).toEqual(["https://blog.example/shoes", urls[0]]);
    const { body: link } = await client.call(
      "get_link",
      { project_id: project.id, link_id: found.links[1].id },
      { key },
    );
    expect(link).toMatchObject(found.links[1]);
    expect(found.projects).toEqual([(await client.call("get_project", { project_id: project.id }, { key })).body]);
    expect([found.sites, found.orders, found.complete]).toEqual([[], [], true]);
    const { sites } = await search("SHOP.example");
    expect(sites).toEqual((await client.call("list_sites", {}, { key })).body.sites);
  });

  test("200: a pasted URL is found with its site, whatever case its host has", async () => {
    const found = await search("HTTPS://Shop.Example/hats");
    expect(found.links.map(({ url }: { url: string }) => url)).toEqual([urls[1]]);
    expect(found.sites).toHaveLength(1);
  });

  test("200: an order by its id or the beginning of it, a project by its id; blanks around the text do not count", async () => {
    expect((await search(order.id)).orders).toMatchObject([{ id: order.id }]);
    expect((await search(` ${order.id.slice(0, 10)} `)).orders).toMatchObject([{ id: order.id }]);
    expect((await search(order.id.slice(4))).orders).toEqual([]);
    expect((await search(project.id)).projects).toMatchObject([{ id: project.id }]);
  });

  test("200: nothing of another account", async () => {
    const stranger = await service.account();
    const nothing = { links: [], projects: [], sites: [], orders: [], complete: true };
    for (const q of ["shoes", "shop.example", project.id, order.id])
      expect(await search(q, {}, stranger)).toEqual(nothing);
  });

  test("200: as many of each as limit says", async () => {
    expect((await search("example", { limit: 1 })).links).toHaveLength(1);
  });

  test.each([
    [{ q: "a" }, "q"],
    [{ q: " a " }, "q"],
    [{ q: "x".repeat(201) }, "q"],
    [{ q: "a\u0000b" }, "q"],
    [{}, "q"],
    [{ q: "ab", limit: 21 }, "limit"],
  ])("400 invalid_request %j", async (input, field) => {
    const { code, body } = await client.call("search", input, { key });
    expect([code, body.issues[0].path]).toEqual(["invalid_request", field]);
  });
});

test("429 rate_limited: searches of an account are counted, since each reads many rows", async () => {
  const searcher = await service.account();
  await consumeLimit(service.db, searcher.id, "searches", service.clock.now(), LIMITS.searches.count);
  const { status, json } = await service.request("GET", "/search?q=shoes", { key: searcher.key });
  expect([status, json.error.code]).toEqual([429, "rate_limited"]);
});
