import { expect, test } from "vitest";
import { searchLinks } from "../../../../src/domain/projects/search-links.ts";
import { testStore } from "../../../support/database/store.ts";
import { eachTest } from "../../../support/service/each-test.ts";

const store = eachTest(testStore);
const urlsAt = (host: string, count: number) => Array.from({ length: count }, (_, at) => `https://${host}/page-${at}`);

async function found(account: string, text: string, more: { limit?: number; most?: number } = {}) {
  const { records, isComplete } = await searchLinks(store.db, account, { text, limit: 20, ...more });
  return { urls: records.map(({ link }) => link.url), isComplete };
}

test("any part of a URL is found in projects and checks, the newest project first, in submission order within it", async () => {
  const account = await store.account(1_000);
  await store.index(account, ["https://one.example/Shoes", "https://one.example/hats"]);
  await store.check(account, ["https://two.example/shoes?size=9"]);
  await store.index(await store.account(10), ["https://other.example/shoes"]);
  await store.index(account, ["https://three.example/shoes/1", "https://three.example/shoes/2"]);
  expect(await found(account, "SHOES")).toEqual({
    urls: [
      "https://three.example/shoes/1",
      "https://three.example/shoes/2",
      "https://two.example/shoes?size=9",
      "https://one.example/Shoes",
    ],
    isComplete: true,
  });
  expect((await found(account, "shoes", { limit: 2 })).urls).toEqual([
    "https://three.example/shoes/1",
    "https://three.example/shoes/2",
  ]);
  expect((await found(account, "%shoes")).urls).toEqual([]);
  expect((await found(account, "other.example")).urls).toEqual([]);
});

test("records have what is known of each link, whichever project it is of", async () => {
  const account = await store.account(1_000);
  const first = await store.index(account, urlsAt("one.example", 3));
  const second = await store.check(account, urlsAt("two.example", 3));
  const { records } = await searchLinks(store.db, account, { text: "page-1", limit: 5 });
  expect(records.map(({ project, position, step }) => [project.id, position, step?.action])).toEqual([
    [second.id, 1, "check"],
    [first.id, 1, "send"],
  ]);
});

test("the link with exactly the URL that was typed comes first, however many begin with it and are newer", async () => {
  const account = await store.account(1_000);
  await store.index(account, ["https://one.example/"]);
  await store.index(account, urlsAt("one.example", 30));
  const { urls } = await found(account, "HTTPS://one.example", { limit: 3 });
  expect(urls).toEqual(["https://one.example/", "https://one.example/page-0", "https://one.example/page-1"]);
});

test("law: a search reads the newest links up to a bound, and says where it has not read them all", async () => {
  const account = await store.account(1_000);
  await store.index(account, urlsAt("old.example", 30));
  await store.index(account, urlsAt("new.example", 30));
  expect(await found(account, "old.example", { most: 59 })).toEqual({ urls: [], isComplete: false });
  expect((await found(account, "new.example/page-29", { most: 59 })).urls).toEqual(["https://new.example/page-29"]);
  expect((await found(account, "old.example/page-29", { most: 60 })).urls).toEqual(["https://old.example/page-29"]);
});

test("projects of others between those of the account are not read, and more of them than one statement names", async () => {
  const account = await store.account(1_000);
  const other = await store.account(1_000);
  for (let at = 0; at < 120; at++) {
    await store.index(account, [`https://one.example/${at}-mine`]);
    await store.index(other, [`https://one.example/${at}-theirs`]);
  }
  expect((await found(account, "theirs")).urls).toEqual([]);
  expect((await found(account, "/0-")).urls).toEqual(["https://one.example/0-mine"]);
});
