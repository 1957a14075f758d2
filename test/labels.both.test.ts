import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { audit } from "../src/domain/audit/audit.ts";
import { projectsByIds } from "../src/domain/projects/fingerprint.ts";
import { testService } from "./support/service/service.ts";
import { SURFACES } from "./support/service/surface-client.ts";

const service = await testService();
afterAll(() => service.close());

describe.each(Object.entries(SURFACES))("%s: update_project", (_, connect) => {
  const client = connect(service);
  afterAll(() => client.close());
  let key: string;
  beforeAll(async () => {
    ({ key } = await service.account({ credits: 1_000 }));
  });
  const call = async (name: string, input: object, keys = { key }) =>
    (await client.call(name, input as Record<string, unknown>, keys)).body;
  const project = async (name: string) =>
    (await call("submit_urls", { urls: ["https://shop.example/"], name })).project.id as string;
  const namesOf = async (filter: object) =>
    (await call("list_projects", { sort: "name", ...filter })).projects.map(({ name }: { name: string }) => name);

  test("200: a project is renamed, tagged and archived; what is left out stays, and nothing of its links changes", async () => {
    const project_id = await project("old name");
    const before = await call("get_project", { project_id });
    const renamed = await call("update_project", {
      project_id,
      name: "New name",
      tags: [" Client ", "spring", "spring"],
    });
    expect(renamed).toEqual({ project: { ...before, name: "New name" }, tags: ["Client", "spring"], archived: false });
    expect(await call("update_project", { project_id, archived: true })).toEqual({ ...renamed, archived: true });
    expect(await call("update_project", { project_id })).toEqual({ ...renamed, archived: true });
    expect(await call("get_project", { project_id })).toEqual(renamed.project);
    const bare = await call("update_project", { project_id, name: "", tags: [], archived: false });
    expect([bare.project.name, bare.tags, bare.archived]).toEqual(["shop.example", [], false]);
  });

  test("200 list_projects: by one tag, which is exact; with archived projects, without them, or only them", async () => {
    const [one, two] = [await project("one"), await project("two")];
    await project("three");
    await call("update_project", { project_id: one, tags: ["Müller GmbH", "a"] });
    await call("update_project", { project_id: two, tags: ["Müller GmbH"], archived: true });
    expect(await namesOf({ tag: "Müller GmbH" })).toEqual(["one", "two"]);
    expect(await namesOf({ tag: "Müller GmbH", archived: "hide" })).toEqual(["one"]);
    expect(await namesOf({ tag: "a", search: "one", kind: "index" })).toEqual(["one"]);
    expect(await namesOf({ tag: "müller gmbh" })).toEqual([]);
    expect(await namesOf({ archived: "only" })).toEqual(["two"]);
    expect(await namesOf({ archived: "hide" })).not.toContain("two");
    expect(await namesOf({})).toContain("two");
    await call("update_project", { project_id: two, tags: ["a"] });
    expect(await namesOf({ tag: "Müller GmbH" })).toEqual(["one"]);
    expect((await audit(service.db)).problems).toEqual([]);
  });

  test("404 not_found: a project of another account, whose tag finds nothing here", async () => {
    const project_id = await project("mine");
    await call("update_project", { project_id, tags: ["mine alone"] });
    const stranger = await service.account();
    expect((await call("update_project", { project_id, name: "x" }, stranger)).code).toBe("not_found");
    expect((await call("list_projects", { tag: "mine alone" }, stranger)).projects).toEqual([]);
  });

  test.each([
    [{ tags: Array.from({ length: 11 }, (_, at) => `${at}`) }, "tags"],
    [{ tags: ["x".repeat(41)] }, "tags[0]"],
    [{ tags: ["fine", "  "] }, "tags[1]"],
    [{ tags: ["a\nb"] }, "tags[0]"],
    [{ name: "x".repeat(121) }, "name"],
    [{ name: " " }, "name"],
    [{ archieved: true }, "archieved"],
  ])("400 invalid_request %j: nothing was changed", async (input, field) => {
    const project_id = await project("kept");
    const { code, issues } = await call("update_project", { project_id, ...input });
    expect([code, issues[0].path]).toEqual(["invalid_request", field]);
    expect((await call("update_project", { project_id })).project.name).toBe("kept");
  });
});

test("law: what a project is called, its tags and whether it is archived are in its fingerprint, by which clients are told", async () => {
  const { key, id } = await service.account({ credits: 100 });
  const body = { urls: ["https://shop.example/"] };
  const { project } = (await service.request("POST", "/projects", { key, body })).json;
  const fingerprint = async () => (await projectsByIds(service.db, id, [project.id]))[0]!.fingerprint;
  const seen = new Set([await fingerprint()]);
  for (const labels of [{ name: "x" }, { tags: ["x"] }, { archived: true }]) {
    await service.request("PATCH", `/projects/${project.id}`, { key, body: labels });
    seen.add(await fingerprint());
  }
  expect(seen.size).toBe(4);
});
