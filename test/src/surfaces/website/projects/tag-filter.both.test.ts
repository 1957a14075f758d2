import { afterAll, expect, test } from "vitest";
import { post } from "../../../../../src/domain/ledger/ledger.ts";
import { relabel } from "../../../../../src/domain/projects/labels.ts";
import { pages } from "../../../../support/database/store.ts";
import { testService } from "../../../../support/service/service.ts";
import { ESCAPED, HOSTILE, projectOf } from "../../../../support/website/account-fixtures.ts";
import { signedIn } from "../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());

test("200: of 2,000 tags the page offers the most used, and finds the others by a part of them", async () => {
  const { user, accountId } = await signedIn(service);
  const other = await signedIn(service);
  const credits = { accountId, kind: "adjustment", credits: 500, source: "test", description: "Test" } as const;
  await service.db.tx((tx) => post(tx, { ...credits, now: service.clock.now() }));
  const tagged = async (owner: string, tags: readonly string[]) => {
    const id = await projectOf(service, owner, pages(1));
    await service.db.tx((tx) => relabel(tx, owner, id, { tags }));
    return id;
  };
  for (let n = 0; n < 200; n++)
    await tagged(accountId, ["Everywhere", ...Array.from({ length: 9 }, (_, i) => `client ${9 * n + i}`), HOSTILE]);
  await tagged(other.accountId, ["client of somebody else"]);

  const list = await user.get("/dashboard/projects");
  const offered = [...list.html.matchAll(/<option value="([^"]*)"/g)].map(([, tag]) => tag!);
  expect(offered).toHaveLength(30);
  expect(offered.slice(0, 2).sort()).toEqual([ESCAPED, "Everywhere"].sort());
  const one = await user.get("/dashboard/projects?tag=client+1799");
  expect(one.text).toMatch(/All 1 ?Indexing 1 ?Checks 0/);
  const part = await user.get("/dashboard/projects?tag=client");
  expect([...part.html.matchAll(/class="tag" href/g)].length).toBe(30);
  for (const page of [list, part]) expect(page.html).not.toContain("somebody else");
  expect((await user.get(`/dashboard/projects?tag=${"x".repeat(500)}`)).status).toBe(200);
});
