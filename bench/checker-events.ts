import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Engine, Tx } from "../db/engine.ts";
import { openDatabase } from "../db/open.ts";
import { createAccount } from "../src/domain/accounts/accounts.ts";
import { Checker } from "../src/indexing/checker/checker.ts";
import { DAY } from "../src/platform/clock.ts";
import { buildProjects, makeDue } from "./checker.ts";
import { instantEngines } from "./checking.ts";
import { type Cost, costOf, inFolder, median, round } from "./support.ts";
import { openSending, startReceivers } from "./webhook-sending.ts";

const LINKS = 200_000;
const STEP = 500;

/** What the checker does besides its work: writes no events, writes them, or writes them while webhooks are delivered. */
const VARIANTS = ["events not written", "events written", "webhooks delivered beside"] as const;
type Variant = (typeof VARIANTS)[number];

/**
 * The checker over 200,000 links in steps of 500, with events and without, and while the same process delivers webhooks. The
 * variants take turns over one database.
 * @returns for each, the links a second and the CPU of a link in µs, medians; with deliveries, the CPU of both. And what events
 * cost: the median of the rounds' ratios of CPU, with events and without
 */
export function benchCheckerEvents(rounds: number) {
  return inFolder(async (folder) => {
    const path = join(folder, "checker.db");
    const db = await openDatabase(`file:${path}`, { checkpointPages: 4_000 });
    const receivers = await startReceivers();
    try {
      let time = Date.now();
      await db.tx((tx) => createAccount(tx, { email: "bench@example.com", now: time }));
      buildProjects(path, LINKS);
      const log = { info() {}, warn: console.warn, error: console.error };
      const clock = { now: () => time, service: () => time };
      const checkerOn = (engine: Engine) => new Checker({ db: engine, clock, engines: instantEngines, log });
      const checkers: Record<Variant, Checker> = {
        "events not written": checkerOn(withoutEvents(db)),
        "events written": checkerOn(db),
        "webhooks delivered beside": checkerOn(db),
      };
      const costs: Record<Variant, Cost[]> = {
        "events not written": [],
        "events written": [],
        "webhooks delivered beside": [],
      };
      for (let turn = 0; turn <= rounds; turn++) {
        for (const variant of VARIANTS) {
          time += 60 * DAY;
          makeDue(path, LINKS, LINKS, time, STEP);
          const isDelivering = variant === "webhooks delivered beside";
          const sending = isDelivering ? await openSending(db, receivers.ports, `${turn}`) : null;
          sending?.sender.drain().catch(console.error);
          // Until its first messages are under way.
          if (sending) await sleep(100);
          const cost = await costOf(() => checkers[variant].drain());
          await sending?.close();
          // The first round warms up the JIT compiler.
          if (turn > 0) costs[variant].push(cost);
        }
      }
      const figures = Object.fromEntries(VARIANTS.map((variant) => [variant, figuresOf(costs[variant])]));
      const without = costs["events not written"];
      const perBare = round(median(costs["events written"].map(({ cpu }, turn) => cpu / without[turn]!.cpu)), 2);
      return { figures: figures as Record<Variant, ReturnType<typeof figuresOf>>, perBare };
    } finally {
      receivers.close();
      await db.close();
    }
  });
}

function figuresOf(costs: readonly Cost[]) {
  return {
    linksPerSecond: Math.round((LINKS * 1_000) / median(costs.map(({ wall }) => wall))),
    cpuUs: round((median(costs.map(({ cpu }) => cpu)) * 1_000) / LINKS, 2),
  };
}

/** The database, on which events take no number and are not written. */
function withoutEvents(db: Engine): Engine {
  const prepared =
    (tx: Tx): Tx["prepared"] =>
    (name, build) =>
      name === "number_events" ? { execute: async () => [] } : tx.prepared(name, build);
  return { ...db, tx: (work, options) => db.tx((tx) => work({ ...tx, prepared: prepared(tx) }), options) };
}
