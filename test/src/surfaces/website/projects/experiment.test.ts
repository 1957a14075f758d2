import { afterAll, expect, test } from "vitest";
import { submitProject } from "../../../../../src/domain/projects/experiments/create.ts";
import { DAY } from "../../../../../src/platform/clock.ts";
import { packUrls } from "../../../../../src/platform/urls/packed-urls.ts";
import { pages } from "../../../../support/database/store.ts";
import { testChecker } from "../../../../support/service/checker.ts";
import { testService } from "../../../../support/service/service.ts";
import { signedIn } from "../../../../support/website/user.ts";

const service = await testService();
afterAll(() => service.close());

test("200: the pages of both projects say what they are, and what became of the experiment", async () => {
  const { user, accountId } = await signedIn(service);
  const { db, clock } = service;
  // A folder of its own is held out in the same proportion, whatever the seed.
  const others = pages(40, "only_sent").map((url) => url.replace("example.com/", "example.com/others/"));
  const urls = packUrls([...pages(60, "day_4"), ...others]);
  const how = { kind: "index", mode: "standard", bing: false, yandex: false, dripDays: 0 } as const;
  const draft = { ...how, accountId, urls, holdoutPercent: 20, now: clock.now(), service: clock.service() };
  const { project, experiment } = await db.tx((tx) => submitProject(tx, draft));
  const page = async (id: string) => (await user.get(`/dashboard/projects/${id}`)).text;
  expect(await page(project.id)).toContain(
    "both groups have had their check of day 14. Sent 80 pages Held out 20 pages",
  );
  expect(await page(experiment!.control.id)).toContain("Held out of an experiment");
  await testChecker(service).until(clock.service() + 16 * DAY);
  await db.tx((tx) => tx.q.update(tx.t.sessions).set({ lastSeenAt: clock.now(), createdAt: clock.now() }).returning());
  for (const id of [project.id, experiment!.control.id])
    expect(await page(id)).toMatch(
      /Sending helped: 40 percentage points more of the sent pages are in Google \(21\.3 to 61\.3\)\. Sent \d+ of 80 in Google Held out \d+ of 20 in Google/,
    );
});
