import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import Database from "better-sqlite3";
import { openDatabase } from "../db/open.ts";
import { createAccount } from "../src/domain/accounts/accounts.ts";
import { Checker } from "../src/indexing/checker/checker.ts";
import { DAY } from "../src/platform/clock.ts";
import { packPositions } from "../src/platform/link-set.ts";
import { CheckerFloor } from "./checker-floor.ts";
import { instantEngines } from "./checking.ts";
import { EventLoopTurns } from "./event-loop.ts";
import { CHECK, CHECKING, DAY_4 } from "./field.ts";
import { type Cost, costOf, inFolder, median, pageUrl, round } from "./support.ts";

const LINKS_PER_PROJECT = 10_000;
const STEP = 500;
const NOW = Date.UTC(2026, 0, 1);

/**
 * Checker throughput: claims, reads, decides and writes (links, counts, evidence, next steps; durable) with an engine that
 * answers immediately, and with a thread that checkpoints, as in the service. The database has `links` links, of which up to
 * `work` are due now, spread over all projects. Each round is followed by the least that can be done for the same work.
 * Figures per link, and per step.
 * @param step links of a step: 500, or a few as in the slots of a drip
 */
export async function benchChecker(links: number, work: number, rounds: number, step = STEP) {
  const costs: Cost[] = [];
  const toBareStatements: number[] = [];
  const turnsP99: number[] = [];
  let longest = 0;
  let done = 0;
  await inFolder(async (folder) => {
    const path = join(folder, "bench.db");
    const db = await openDatabase(`file:${path}`, { checkpointPages: 20_000 });
    const checkpoints = new Worker(new URL("./checkpoints.mjs", import.meta.url), { workerData: path });
    await db.tx((tx) => createAccount(tx, { email: "bench@example.com", now: NOW }));
    buildProjects(path, links);
    const floor = new CheckerFloor(path);
    let time = NOW;
    const log = { info() {}, warn: console.warn, error: console.error };
    const checker = new Checker({ db, clock: { now: () => time, service: () => time }, engines: instantEngines, log });
    for (let round = 0; round <= rounds; round++) {
      time += 60 * DAY;
      const due = makeDue(path, links, work, time, step);
      const cost = await costOf(() => checker.drain());
      // Once more for the turns: measuring them costs CPU time as well.
      time += 60 * DAY;
      makeDue(path, links, work, time, step);
      const turns = new EventLoopTurns();
      await checker.drain();
      const { p99, most } = turns.stop();
      time += 60 * DAY;
      makeDue(path, links, work, time, step);
      const bare = await costOf(async () => floor.drain(time));
      // The first round warms up the JIT compiler.
      if (round > 0) {
        costs.push(cost);
        toBareStatements.push(cost.wall / bare.wall);
        done = due;
        turnsP99.push(p99);
        longest = Math.max(longest, most);
      }
    }
    checkpoints.postMessage("stop");
    await once(checkpoints, "exit");
    floor.close();
    await db.close();
  });
  const wall = median(costs.map((cost) => cost.wall)) / done;
  const cpu = median(costs.map((cost) => cost.cpu)) / done;
  return {
    links,
    done,
    linksPerSecond: Math.round(1000 / wall),
    wallUs: round(wall * 1000, 2),
    cpuUs: round(cpu * 1000, 2),
    cpuPerStepMs: round(cpu * step, 2),
    toBareStatements: round(median(toBareStatements), 2),
    turnP99Ms: round(median(turnsP99), 1),
    turnMostMs: round(longest, 1),
  };
}

/** Writes projects with so many links, which are all being checked, into a database with one account. */
export function buildProjects(path: string, links: number): void {
  const raw = new Database(path);
  raw.pragma("synchronous = OFF");
  raw.pragma("wal_autocheckpoint = 20000");
  const account = raw.prepare("SELECT id, bucket FROM accounts").get() as { id: string; bucket: number };
  const addProject = raw.prepare(
    `INSERT INTO projects (no, id, bucket, account_id, kind, name, mode, bing, yandex, drip_days, status, price, total,
       waiting, checking, indexed, not_indexed, failed, credits_spent, credits_returned, created_at)
     VALUES (?, ?, ?, ?, 'index', 'bench', 'standard', 0, 0, 0, 'active', 1, ?, 0, ?, 0, 0, 0, ?, 0, ?)`,
  );
  const addLinks = raw.prepare(
    `INSERT INTO links (id, bucket, url, state, sent_at)
     SELECT @no * 16384 + key, @bucket, value, ${CHECKING}, @sentAt FROM json_each(@urls)`,
  );
  for (let no = 1; no <= links / LINKS_PER_PROJECT; no++) {
    const urls = Array.from({ length: LINKS_PER_PROJECT }, (_, i) => pageUrl(no * LINKS_PER_PROJECT + i));
    raw.transaction(() => {
      addProject.run(
        no,
        `prj_${String(no).padStart(13, "0")}`,
        account.bucket,
        account.id,
        ...Array(3).fill(LINKS_PER_PROJECT),
        NOW,
      );
      addLinks.run({ no, bucket: account.bucket, sentAt: NOW, urls: JSON.stringify(urls) });
    })();
  }
  raw.close();
}

/** Queues steps of so many links of evenly spread projects, each for its first check. @returns how many links are due */
export function makeDue(path: string, links: number, work: number, time: number, size: number): number {
  const raw = new Database(path);
  const stepsOfAll = links / size;
  const wanted = Math.min(stepsOfAll, work / size);
  const perProject = LINKS_PER_PROJECT / size;
  const add = raw.prepare(
    `INSERT INTO steps (bucket, project_no, lane, action, look, negatives, tries, available_ms, priority, due_at, first, members, size)
     VALUES (0, ?, 0, ${CHECK}, ${DAY_4}, 0, 0, 0, 1, ?, ?, ?, ${size})`,
  );
  raw.transaction(() => {
    raw.exec("DELETE FROM steps");
    for (let i = 0; i < wanted; i++) {
      // A stride coprime to the number of steps visits each once, far from the one before.
      const step = (i * 7919) % stepsOfAll;
      const no = Math.floor(step / perProject) + 1;
      const first = (step % perProject) * size;
      const { members } = packPositions(Array.from({ length: size }, (_, position) => first + position));
      raw
        .prepare(`UPDATE links SET state = ${CHECKING}, sent_at = ${time} WHERE id >= ? AND id < ?`)
        .run(no * 16384 + first, no * 16384 + first + size);
      add.run(no, time, first, members);
    }
    raw.exec(`UPDATE projects SET checking = ${LINKS_PER_PROJECT}, indexed = 0`);
  })();
  // The log keeps its size and is written over, as in a service, where nothing makes it shorter.
  raw.pragma("wal_checkpoint(RESTART)");
  raw.close();
  return wanted * size;
}
