import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Cluster, ServiceNode } from "./cluster.ts";
import type { SeededRandom } from "./seeded-random.ts";

interface FaultTarget {
  readonly cluster: Cluster;
  /** Which one meets with it, if not all do. */
  readonly node: ServiceNode;
  readonly random: SeededRandom;
  readonly leaseMs: number;
}

/** What is done to a running cluster, and made good again before it ends. */
type Fault = (target: FaultTarget) => Promise<void>;

const ONE = {
  /** The process dies, and is started again. */
  async kill({ node }) {
    await node.kill();
    await node.start();
  },
  /** It stands still for longer than its claims hold. */
  async pause({ node, random, leaseMs }) {
    node.pause();
    await sleep(leaseMs + random.between(200, 1_500));
    node.resume();
  },
  async cut({ node: { proxy }, random }) {
    proxy.cut();
    await sleep(random.between(50, 2_000));
    proxy.heal();
  },
  async stall({ node: { proxy }, random, leaseMs }) {
    proxy.stall();
    await sleep(random.between(500, leaseMs + 1_500));
    proxy.heal();
  },
  /** Connections break one by one, some of them between a commit and its answer. */
  async loseCommits({ node: { proxy }, random }) {
    for (let count = 0; count < 4; count++) {
      void proxy.loseCommit(random.pick(["insert_links", "steps", "ticks"]), random.pick(["before", "after"]));
      await sleep(random.between(50, 400));
    }
  },
  async slow({ node: { proxy }, random }) {
    proxy.delay(random.between(20, 150));
    await sleep(random.between(500, 2_000));
    proxy.delay(0);
  },
} satisfies Record<string, Fault>;

/** Of the server: all nodes meet with them. */
const ALL = {
  /** The server ends some of the connections. */
  async terminate({ cluster: { server } }) {
    const client = new pg.Client({ connectionString: server.url() });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'beckon' AND random() < 0.5",
      );
      await client.end();
    } catch {
      // The server is away already.
    }
  },
  /** The server loses power. */
  async powerCut({ cluster: { server }, random }) {
    await server.halt("immediate");
    await sleep(random.between(100, 1_500));
    await server.restart();
  },
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof ONE | keyof typeof ALL;

export const FAULTS = Object.keys({ ...ONE, ...ALL }) as readonly FaultName[];

/** Has it happen somewhere; who met with it is written down there. */
export async function injectFault(
  cluster: Cluster,
  name: FaultName,
  { random, leaseMs }: Pick<FaultTarget, "random" | "leaseMs">,
) {
  const node = random.pick(cluster.nodes);
  const met = name in ONE ? [node] : cluster.nodes;
  const from = Date.now();
  await { ...ONE, ...ALL }[name]({ cluster, node, random, leaseMs });
  for (const { disturbances } of met) disturbances.push({ from, until: Date.now() });
}
