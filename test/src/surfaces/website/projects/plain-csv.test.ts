import { afterAll, expect, test } from "vitest";
import { DAY } from "../../../../../src/platform/clock.ts";
import { pages } from "../../../../support/database/store.ts";
import { testChecker } from "../../../../support/service/checker.ts";
import { testService } from "../../../../support/service/service.ts";
import { projectOf } from "../../../../support/website/account-fixtures.ts";
import { signedIn } from "../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());

/** The rows of a CSV whose cells hold no quotation marks. */
function rowsOf(csv: string): string[][] {
  return csv
    .trim()
    .split("\r\n")
    .map((line) => line.slice(1, -1).split('","'));
}

test("200: files for people have names, plain words and times that spreadsheets read, and only what the page lists", async () => {
  const { user, accountId } = await signedIn(service);
  const urls = [...pages(2, "day_4"), ...pages(2, "soft_404"), ...pages(1, "rejected")];
  const id = await projectOf(service, accountId, urls, { name: "=SUM(1) Frühling & Söhne" });
  await testChecker(service).until(service.clock.service() + 15 * DAY);
  const { db, clock } = service;
  await db.tx((tx) => tx.q.update(tx.t.sessions).set({ lastSeenAt: clock.now(), createdAt: clock.now() }).returning());

  const file = await user.get(`/dashboard/projects/${id}/urls.csv`);
  expect(file.headers.get("content-disposition")).toBe('attachment; filename="sum-1-fr-hling-s-hne-2026-01-20.csv"');
  const [head, ...rows] = rowsOf(file.html);
  expect(head!.slice(0, 6)).toEqual(["No.", "URL", "Result", "Why", "What to do", "Sent (UTC)"]);
  expect(rows.map(([, , result, why]) => [result, why])).toEqual([
    ["In Google", "first found on day 4"],
    ["In Google", "first found on day 4"],
    ["Not in Google", "Google takes your page for an empty one; credits back"],
    ["Not in Google", "Google takes your page for an empty one; credits back"],
    ["Not sent", "the provider refused this URL"],
  ]);
  expect(rows[2]!.slice(4, 6)).toEqual(["Give the page its content, or let it answer 404.", "2026-01-05 12:00"]);
  expect(rows.map((row) => row.slice(-2))).toEqual([
    ["1", "0"],
    ["1", "0"],
    ["1", "1"],
    ["1", "1"],
    ["1", "1"],
  ]);
  const empty = rowsOf((await user.get(`/dashboard/projects/${id}/urls.csv?status=not_indexed&reason=soft_404`)).html);
  expect(empty.map(([no]) => no)).toEqual(["No.", "3", "4"]);

  await projectOf(service, accountId, pages(1), { name: "Still open" });
  const list = rowsOf((await user.get("/dashboard/projects/list.csv?sort=name")).html);
  const [names, ...projects] = list;
  const cell = (row: readonly string[], name: string) => row[names!.indexOf(name)];
  const columns = ["Project", "Kind", "Status", "URLs", "In Google", "% in Google", "Credits", "Credits back"];
  expect(projects.map((row) => columns.map((column) => cell(row, column)))).toEqual([
    ["'=SUM(1) Frühling & Söhne", "Indexing", "Completed", "5", "2", "40", "5", "3"],
    ["Still open", "Indexing", "Active", "1", "0", "", "1", "0"],
  ]);
  expect(rowsOf((await user.get("/dashboard/projects/list.csv?status=active")).html)).toHaveLength(2);
});
