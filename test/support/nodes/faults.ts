import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Cluster, ServiceNode } from "./cluster.ts";
import type { SeededRandom } from "./seeded-random.ts";

interface FaultTarget {
  readonly cluster: Cluster;
  /** The node with the fault, if it does not concern all. */
  readonly node: ServiceNode;
  readonly random: SeededRandom;
  readonly leaseMs: number;
}

/** Disturbs a running cluster, and repairs it before it returns. */
type Fault = (target: FaultTarget) => Promise<void>;

const NODE_FAULTS = {
  /** The process is killed and started again. */
  async kill({ node }) {
    await node.kill();
    await node.start();
  },
  /** The process is suspended for longer than its leases last. */
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
  /** Connections break one by one, some of them between a commit and its confirmation. */
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

/** Faults of the server, which concern all nodes. */
const SERVER_FAULTS = {
  /** The server terminates some of the connections. */
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
      // The server is down already.
    }
  },
  /** The server loses power. */
  async powerCut({ cluster: { server }, random }) {
    await server.halt("immediate");
    await sleep(random.between(100, 1_500));
    await server.restart();
  },
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof NODE_FAULTS | keyof typeof SERVER_FAULTS;

export const FAULTS = Object.keys({ ...NODE_FAULTS, ...SERVER_FAULTS }) as readonly FaultName[];

/** Injects a fault into a random node, or into the server, and records when in the nodes that it concerns. */
export async function injectFault(
  cluster: Cluster,
  name: FaultName,
  { random, leaseMs }: Pick<FaultTarget, "random" | "leaseMs">,
) {
  const node = random.pick(cluster.nodes);
  const affected = name in NODE_FAULTS ? [node] : cluster.nodes;
  const from = Date.now();
  await { ...NODE_FAULTS, ...SERVER_FAULTS }[name]({ cluster, node, random, leaseMs });
  for (const { disturbances } of affected) disturbances.push({ from, until: Date.now() });
}
