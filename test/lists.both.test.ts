import { afterAll, describe, expect, test } from "vitest";
import { testService } from "./support/service/service.ts";
import { SURFACES } from "./support/service/surface-client.ts";

const service = await testService();
afterAll(() => service.close());

const { key } = await service.account({ credits: 1_000 });
const URLS = ["https://example.com/b", "https://example.com/a", "https://example.com/Blog"];
const { project } = (await service.request("POST", "/projects", { key, body: { urls: URLS, name: "Zebra 100%" } }))
  .json;
await service.request("POST", "/projects", { key, body: { urls: URLS.slice(1), name: "apple" } });

describe.each(Object.entries(SURFACES))("%s: searched and sorted lists", (_, connect) => {
  const client = connect(service);
  afterAll(() => client.close());

  async function urlsOf(input: object): Promise<string[]> {
    const { body } = await client.call("list_links", { project_id: project.id, ...input }, { key });
    return body.links.map(({ url }: { url: string }) => url.slice("https://example.com/".length));
  }
  async function namesOf(input: object): Promise<string[]> {
    const { body } = await client.call("list_projects", { ...input }, { key });
    return body.projects.map(({ name }: { name: string }) => name);
  }

  test("200 list_links: by text of the URL, in the order that was asked for", async () => {
    expect(await urlsOf({})).toEqual(["b", "a", "Blog"]);
    expect(await urlsOf({ search: "/B" })).toEqual(["b", "Blog"]);
    expect(await urlsOf({ sort: "url" })).toEqual(["a", "b", "Blog"]);
    expect(await urlsOf({ sort: "-url", search: "/b", status: "waiting" })).toEqual(["Blog", "b"]);
    expect(await urlsOf({ search: "%" })).toEqual([]);
  });

  test("200 list_projects: by text of the name, in the order that was asked for", async () => {
    expect(await namesOf({})).toEqual(["apple", "Zebra 100%"]);
    expect(await namesOf({ sort: "-total" })).toEqual(["Zebra 100%", "apple"]);
    expect(await namesOf({ sort: "-name", search: "e", kind: "index" })).toEqual(["Zebra 100%", "apple"]);
    expect(await namesOf({ search: "0%" })).toEqual(["Zebra 100%"]);
  });

  test.each([
    ["list_links", { sort: "newest" }, "sort"],
    ["list_links", { search: "x".repeat(201) }, "search"],
    ["list_projects", { sort: "--name" }, "sort"],
    ["list_projects", { search: "a\u0007" }, "search"],
  ])("400 invalid_request %s %j: the field is named", async (name, input, field) => {
    const more = name === "list_links" ? { project_id: project.id } : {};
    const { code, body } = await client.call(name, { ...more, ...input }, { key });
    expect([code, body.issues[0].path]).toEqual(["invalid_request", field]);
  });
});

describe("whole lists", () => {
  const get = (path: string, headers = {}) => service.request("GET", path, { key, headers });

  test("200 links.json: to the byte what a page that holds them all answers", async () => {
    for (const query of ["", "?search=b&sort=-url", "?status=failed"]) {
      const whole = await get(`/projects/${project.id}/links.json${query}`);
      expect(whole.headers.get("content-type")).toBe("application/json; charset=utf-8");
      expect(whole.text).toBe((await get(`/projects/${project.id}/links${query}`)).text);
    }
  });

  test("200 links.csv: filtered and sorted as the page is", async () => {
    const { text } = await get(`/projects/${project.id}/links.csv?search=/b&sort=-url`);
    const lines = text.split("\r\n").slice(1, -1);
    expect(lines.map((line) => line.split(",")[1])).toEqual([`"${URLS[2]}"`, `"${URLS[0]}"`]);
  });

  test("200 projects.json and projects.csv: all projects that the filter lets through", async () => {
    expect((await get("/projects.json?sort=name")).text).toBe((await get("/projects?sort=name")).text);
    const { text } = await get("/projects?search=zebra", { Accept: "text/csv" });
    const [heads, row, ...rest] = text.replaceAll('"', "").split("\r\n");
    expect(heads).toMatch(/^id,name,kind,mode,drip_days,status,total,waiting,/);
    expect(row).toContain(`${project.id},Zebra 100%,index,standard,0,active,3,3,0,0,0,0,,3,0,`);
    expect(rest).toEqual([""]);
    expect((await get("/projects.csv?search=zebra")).text).toBe(text);
  });

  test("400 of a whole list: an unknown order is refused before the first line", async () => {
    for (const path of [`/projects/${project.id}/links.csv`, "/projects.json"])
      expect((await get(`${path}?sort=x`)).json.error.code).toBe("invalid_request");
  });
});
