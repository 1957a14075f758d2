import { afterAll, expect, test } from "vitest";
import { createProject } from "../../../../src/domain/projects/create.ts";
import { evidenceOf, FINDINGS } from "../../../../src/domain/projects/findings.ts";
import { linksOf } from "../../../../src/domain/projects/list-links.ts";
import { progressFingerprint, progressOf } from "../../../../src/domain/projects/progress.ts";
import { projectOf } from "../../../../src/domain/projects/read.ts";
import { FATES } from "../../../../src/indexing/engines/sandbox/fate.ts";
import { DAY } from "../../../../src/platform/clock.ts";
import { packPositions } from "../../../../src/platform/link-set.ts";
import { packUrls } from "../../../../src/platform/urls/packed-urls.ts";
import { testChecker } from "../../../support/service/checker.ts";
import { testService } from "../../../support/service/service.ts";

const service = await testService();
afterAll(() => service.close());

const URLS = Object.keys(FATES).flatMap((fate) =>
  [1, 2, 3].map((page) => `https://www.example.com/${page}?sandbox=${fate}`),
);

test("law: the counts agree with the evidence of the links and with the project, for each fate on days 0, 4, 8, 14 and 16", async () => {
  const { db, clock } = service;
  const { id: accountId } = await service.account();
  const draft = { kind: "index", mode: "standard", bing: true, yandex: false, dripDays: 0, name: "All fates" } as const;
  const begin = clock.service();
  const { project: made } = await db.tx((tx) =>
    createProject(tx, { ...draft, accountId, urls: packUrls(URLS), now: clock.now(), service: begin }),
  );
  const checker = testChecker(service);
  const fingerprints = new Set<string>();
  for (const day of [0, 4, 8, 14, 16]) {
    await checker.until(begin + day * DAY);
    const project = (await projectOf(db, accountId, made.id))!;
    const { counts, history, lookedUp, engines } = await progressOf(db, project, clock.service());
    const { records } = await linksOf(db, project, { limit: 100, offset: 0, state: null });
    const findings = records.map((record) => evidenceOf(record).finding);
    for (const finding of FINDINGS)
      expect([day, finding, counts[finding]]).toEqual([day, finding, findings.filter((one) => one === finding).length]);
    expect(counts.indexed + counts.gone).toBe(project.indexed);
    expect(counts.not_indexed + counts.unknown).toBe(project.notIndexed);
    expect([counts.waiting, counts.checking, counts.failed]).toEqual([
      project.waiting,
      project.checking,
      project.failed,
    ]);
    const latest = records.flatMap(({ deliveries }) => Object.values(deliveries).filter((one) => one !== null));
    for (const { lane, status, detail, links } of engines)
      expect(links).toBe(
        latest.filter((one) => one.lane === lane && one.status === status && one.detail === detail).length,
      );
    expect(engines.reduce((sum, { links }) => sum + links, 0)).toBe(latest.length);
    expect(history.at(-1)).toMatchObject({
      inGoogle: counts.indexed,
      found: records.filter((record) => evidenceOf(record).firstFoundAt !== null).length,
    });
    for (const [index, { found, inGoogle }] of history.entries()) {
      expect(found).toBeGreaterThanOrEqual(Math.max(inGoogle, history[index - 1]?.found ?? 0));
      expect(inGoogle).toBeGreaterThanOrEqual(0);
    }
    expect(lookedUp).toBe(records.filter(({ observations }) => observations.length > 0).length);
    fingerprints.add(await progressFingerprint(db, project));
  }
  expect(fingerprints.size).toBe(5);
});

test("law: each word of Bing about a link makes another fingerprint", async () => {
  const { db, clock } = service;
  const { id: accountId } = await service.account();
  const draft = { kind: "index", mode: "standard", bing: true, yandex: false, dripDays: 0, name: "Bing" } as const;
  const times = { now: clock.now(), service: clock.service() };
  const { project } = await db.tx((tx) => createProject(tx, { ...draft, accountId, urls: packUrls(URLS), ...times }));
  const row = { projectNo: project.no, at: clock.service(), stage: "day_4", result: "indexed" } as const;
  const fingerprints = [await progressFingerprint(db, project)];
  for (const position of [0, 1]) {
    await db.tx((tx) => tx.q.insert(tx.t.bingChecks).values({ ...row, ...packPositions([position]) }));
    fingerprints.push(await progressFingerprint(db, project));
  }
  expect(new Set(fingerprints).size).toBe(3);
});
