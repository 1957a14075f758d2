import { afterAll, expect, test } from "vitest";
import { pages } from "../../../../support/database/store.ts";
import { testService } from "../../../../support/service/service.ts";
import { ESCAPED, HOSTILE, projectOf } from "../../../../support/website/account-fixtures.ts";
import { signedIn } from "../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());

const LIST = "/dashboard/projects";

test("303: a project is renamed, tagged and archived, and lists are filtered by that", async () => {
  const { user, accountId } = await signedIn(service);
  const id = await projectOf(service, accountId, pages(2), { name: "Old name" });
  const other = await projectOf(service, accountId, pages(1), { name: "Other" });
  const path = `${LIST}/${id}/edit`;
  expect((await user.get(`${LIST}/${id}`)).html).toContain(`href="${path}"`);
  const form = await user.get(path);
  const saved = await user.submit(form, { name: HOSTILE, tags: `Example, Ltd\n ${HOSTILE} \n\nExample, Ltd` }, path);
  expect(saved.location).toBe(`${LIST}/${id}?done=saved`);
  const page = await user.get(saved.location!);
  expect(page.text).toContain("Saved.");
  expect(page.html).toContain(`<h1><bdi>${ESCAPED}</bdi></h1>`);
  expect(page.html).toContain(`href="${LIST}?tag=Example%2C+Ltd"`);

  const tagged = await user.get(`${LIST}?tag=Example%2C+Ltd`);
  expect([tagged.html.includes(id), tagged.html.includes(other)]).toEqual([true, false]);
  expect(tagged.text).toMatch(/All 1 ?Indexing 1/);
  const like = await user.get(`${LIST}?tag=example`);
  expect(like.text).toContain("Tags like “example”: Example, Ltd");

  const again = await user.get(path);
  expect(again.html).toContain(`Example, Ltd\n${ESCAPED}</textarea>`);
  await user.submit(again, { archived: "yes", name: "" }, path);
  const current = await user.get(LIST);
  expect([current.html.includes(`/${id}"`), current.html.includes(`/${other}"`)]).toEqual([false, true]);
  const archived = await user.get(`${LIST}?archived=only`);
  expect([archived.html.includes(`/${id}"`), archived.html.includes(`/${other}"`)]).toEqual([true, false]);
  expect(archived.text).toContain("example.com");
  expect(archived.text).toContain("Active, archived");
});

test("400: what was typed stands there again, with what is wrong", async () => {
  const { user, accountId } = await signedIn(service);
  const id = await projectOf(service, accountId, pages(1), { name: "Mine" });
  const path = `${LIST}/${id}/edit`;
  const form = await user.get(path);
  const long = await user.submit(form, { name: "Kept", tags: `good\n${"x".repeat(41)}` }, path);
  expect(long.status).toBe(400);
  expect(long.html).toContain('value="Kept"');
  expect(long.text).toContain(`“${"x".repeat(41)}”: at most 40 characters.`);
  const many = await user.submit(form, { tags: Array.from({ length: 11 }, (_, n) => `t${n}`).join("\n") }, path);
  expect(many.status).toBe(400);
  expect((await user.submit(form, { name: " \u200b " }, path)).status).toBe(400);
  expect((await user.get(path)).html).toContain('value="Mine"');
});
