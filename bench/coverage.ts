import { join } from "node:path";
import { openDatabase } from "../db/open.ts";
import { createAccount } from "../src/domain/accounts/accounts.ts";
import { noteVerdicts } from "../src/domain/coverage/changes.ts";
import { foldCoverage } from "../src/domain/coverage/fold.ts";
import { coverageOf } from "../src/domain/coverage/read.ts";
import { post } from "../src/domain/ledger/ledger.ts";
import { createProject } from "../src/domain/projects/create.ts";
import { DAY } from "../src/platform/clock.ts";
import { packUrls } from "../src/platform/urls/packed-urls.ts";
import { costOf, inFolder, median, round } from "./support.ts";

const PROJECTS = 10;
const LINKS = 10_000;
const STEP = 500;
const DAYS = 400;
const START = Date.UTC(2025, 0, 1);

/** An account with 100,000 pages of one host, whose verdicts come in over 400 days; and what a reading of all these days takes. */
export function benchCoverage(rounds: number) {
  return inFolder(async (folder) => {
    const db = await openDatabase(`file:${join(folder, "coverage.db")}`, { durable: false });
    const { id: accountId } = await db.tx((tx) => createAccount(tx, { email: "bench@example.com", now: START }));
    const now = START;
    await db.tx((tx) =>
      post(tx, { accountId, kind: "adjustment", credits: 1_000_000, source: "bench", description: "Bench", now }),
    );
    const draft = { kind: "index", mode: "standard", bing: false, yandex: false, dripDays: 0 } as const;
    const made = [];
    for (let no = 0; no < PROJECTS; no++) {
      const urls = packUrls(Array.from({ length: LINKS }, (_, i) => `https://www.example.com/${no}/${i}`));
      made.push(await db.tx((tx) => createProject(tx, { ...draft, accountId, urls, now, service: START })));
    }
    await foldCoverage(db);
    const steps = (PROJECTS * LINKS) / STEP;
    for (let step = 0; step < 2 * steps; step++) {
      const { project } = made[step % PROJECTS]!;
      const first = (Math.floor(step / PROJECTS) * STEP) % LINKS;
      const positions = Array.from({ length: STEP }, (_, i) => first + i);
      const found = { result: "indexed", reason: null, positions: positions.filter((one) => one % 3 > 0) };
      const missing = {
        result: "not_indexed",
        reason: "no_match",
        positions: positions.filter((one) => one % 3 === 0),
      };
      const at = START + Math.floor((step * DAYS) / (2 * steps)) * DAY;
      await db.tx((tx) => noteVerdicts(tx, project, [found, missing], at));
    }
    const folding = await costOf(() => foldCoverage(db));
    const wanted = { host: null, days: DAYS, limit: 20, offset: 0, now: START + DAYS * DAY };
    const times: number[] = [];
    for (let round = 0; round < rounds; round++)
      times.push((await costOf(() => coverageOf(db, accountId, wanted))).wall);
    const [host] = (await coverageOf(db, accountId, wanted)).hosts;
    await db.close();
    return {
      pages: host!.pages,
      days: host!.series.length,
      readMs: round(median(times)),
      foldedPerSecond: Math.round((2 * PROJECTS * LINKS) / (folding.wall / 1000)),
    };
  });
}
