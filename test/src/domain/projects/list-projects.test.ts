import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import type { ProjectSort } from "../../../../src/domain/projects/list-order.ts";
import { countProjects, eachProject, projectsOf } from "../../../../src/domain/projects/list-projects.ts";
import { pages, testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
let account: string;
beforeEach(async () => {
  account = await store.account(10_000);
});

const ALL = { kind: "all", status: "any", limit: 200, offset: 0 } as const;

async function namesBy(sort: ProjectSort, search = ""): Promise<string[]> {
  return (await projectsOf(store.db, account, { ...ALL, sort, search })).rows.map(({ name }) => name);
}

/** Makes a project, and sets its counts. */
async function make(name: string, total: number, counts: { indexed?: number; notIndexed?: number } = {}) {
  const { db } = store;
  const { id } = await store.index(account, pages(total), { name });
  if (counts.indexed === undefined) return;
  await db.tx((tx) => tx.q.update(tx.t.projects).set(counts).where(eq(tx.t.projects.id, id)).returning());
}

test("search finds text in the name, whatever its capitals, and takes every character for itself", async () => {
  for (const name of ["Shop 100%", "shop_1", "shop 1", "Москва", "متجر"]) await make(name, 1);
  await store.index(await store.account(10), pages(1), { name: "Shop of another account" });
  expect(await namesBy("created", "SHOP")).toEqual(["Shop 100%", "shop_1", "shop 1"]);
  expect(await namesBy("created", "p_1")).toEqual(["shop_1"]);
  expect(await namesBy("created", "%")).toEqual(["Shop 100%"]);
  expect(await namesBy("created", "москва")).toEqual(["Москва"]);
  expect(await namesBy("created", "تجر")).toEqual(["متجر"]);
  expect(await namesBy("created", "nothing")).toEqual([]);
});

test("sorts by name, size, indexed and rate, both ways; equal ones stand newest first", async () => {
  await make("b", 4, { indexed: 1, notIndexed: 3 });
  await make("A", 2, { indexed: 2, notIndexed: 0 });
  await make("c", 3);
  await make("a", 3, { indexed: 2, notIndexed: 1 });
  expect(await namesBy("-created")).toEqual(["a", "c", "A", "b"]);
  expect(await namesBy("created")).toEqual(["b", "A", "c", "a"]);
  expect(await namesBy("name")).toEqual(["a", "A", "b", "c"]);
  expect(await namesBy("-name")).toEqual(["c", "b", "a", "A"]);
  expect(await namesBy("total")).toEqual(["A", "a", "c", "b"]);
  expect(await namesBy("-indexed")).toEqual(["a", "A", "b", "c"]);
  expect(await namesBy("rate")).toEqual(["b", "a", "A", "c"]);
  expect(await namesBy("-rate")).toEqual(["A", "a", "b", "c"]);
});

test("all projects in batches: each once, in the order that was asked for; counts by kind and status", async () => {
  for (const name of ["c", "a", "b"]) await make(name, 1);
  await store.check(account, pages(1));
  const names: string[] = [];
  const filter = { kind: "index", status: "any", sort: "name" } as const;
  for await (const batch of eachProject(store.db, account, filter)) names.push(...batch.map(({ name }) => name));
  expect(names).toEqual(["a", "b", "c"]);
  const counts = await countProjects(store.db, account, {});
  expect(counts).toHaveLength(2);
  expect(counts).toContainEqual({ kind: "index", status: "active", n: 3 });
  expect(await countProjects(store.db, account, { search: "a" })).toContainEqual({
    kind: "index",
    status: "active",
    n: 1,
  });
});
