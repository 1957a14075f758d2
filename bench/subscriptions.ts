import { join } from "node:path";
import { openDatabase } from "../db/open.ts";
import { createAccount } from "../src/domain/accounts/accounts.ts";
import { relayEvents } from "../src/domain/events/relay.ts";
import { queueForSubscriptions } from "../src/domain/subscriptions/queue.ts";
import { saveSubscription } from "../src/domain/subscriptions/save.ts";
import { WebhookSender } from "../src/domain/webhooks/sender.ts";
import { Checker } from "../src/indexing/checker/checker.ts";
import { DAY, SECOND } from "../src/platform/clock.ts";
import { createHttpClient } from "../src/platform/http-client/http-client.ts";
import { SecretBox } from "../src/platform/secret-box.ts";
import { subscriptionTargets } from "../src/surfaces/mcp/events/targets.ts";
import { buildProjects, makeDue } from "./checker.ts";
import { instantEngines } from "./checking.ts";
import { type Cost, costOf, inFolder, median, round } from "./support.ts";

const LINKS = 200_000;
const STEP = 500;
const ACCOUNTS = 100;
const PER_ACCOUNT = 100;
export const SUBSCRIPTIONS = ACCOUNTS * PER_ACCOUNT;

/**
 * The checker over 200,000 links in steps of 500 while the same process hands its events on, once without subscriptions and once
 * with 10,000, of which 100 are the checked account's, each for the events of one project. Nothing is due to be sent, so that
 * only what subscriptions cost the others is in it; sending costs what it costs for webhooks.
 */
export function benchSubscriptions(rounds: number) {
  return inFolder(async (folder) => {
    const path = join(folder, "checker.db");
    const db = await openDatabase(`file:${path}`, { checkpointPages: 4_000 });
    const settings = { siteUrl: "http://beckon.test", contact: undefined, fetchAllowCidrs: [], fetchAllowPorts: [] };
    const http = createHttpClient({ ...settings, mode: "sandbox", host: "127.0.0.1" });
    const box = new SecretBox(() => [Buffer.alloc(32, 1)]);
    let time = Date.now();
    const clock = { now: () => time, service: () => time };
    const log = { info() {}, warn: console.warn, error: console.error };
    const accounts: string[] = [];
    for (let n = 0; n < ACCOUNTS; n++)
      accounts.push((await db.tx((tx) => createAccount(tx, { email: `${n}@example.com`, now: time }))).id);
    buildProjects(path, LINKS);
    const checker = new Checker({ db, clock, engines: instantEngines, log });
    const sender = new WebhookSender({ db, clock, http, targets: [subscriptionTargets(box)], log });
    const drain = async () => {
      const timer = setInterval(() => {
        relayEvents(db, [queueForSubscriptions], clock.now)
          .then(() => sender.drain())
          .catch(console.error);
      }, SECOND);
      await checker.drain();
      clearInterval(timer);
    };
    const costs: Record<"without" | "with", Cost[]> = { without: [], with: [] };
    for (let turn = 0; turn <= rounds; turn++) {
      for (const variant of ["without", "with"] as const) {
        if (variant === "with") await subscribe(db, box, accounts, time);
        else await db.tx((tx) => tx.q.delete(tx.t.eventSubscriptions));
        time += 60 * DAY;
        if (variant === "with")
          await db.tx((tx) => tx.q.update(tx.t.eventSubscriptions).set({ expiresAt: time + DAY }));
        makeDue(path, LINKS, LINKS, time, STEP);
        const cost = await costOf(drain);
        // The first round warms up the JIT compiler.
        if (turn > 0) costs[variant].push(cost);
      }
    }
    await sender.stop();
    await http.close();
    await db.close();
    return { without: figuresOf(costs.without), with: figuresOf(costs.with) };
  });
}

async function subscribe(
  db: Awaited<ReturnType<typeof openDatabase>>,
  box: SecretBox,
  accounts: readonly string[],
  now: number,
): Promise<void> {
  const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
  for (const accountId of accounts)
    await db.tx(async (tx) => {
      for (let n = 0; n < PER_ACCOUNT; n++) {
        const narrowing = { project_id: `prj_${n}` };
        const key = {
          accountId,
          maker: `key_${n}`,
          url: "https://example.com/",
          type: "links.settled",
          narrowing,
        } as const;
        await saveSubscription(tx, box, key, { secret, expiresAt: now + DAY, position: null, now });
      }
    });
}

function figuresOf(costs: readonly Cost[]) {
  return {
    linksPerSecond: Math.round((LINKS * 1_000) / median(costs.map(({ wall }) => wall))),
    cpuUs: round((median(costs.map(({ cpu }) => cpu)) * 1_000) / LINKS, 2),
  };
}
