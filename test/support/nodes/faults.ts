import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Cluster, ServiceNode } from "./cluster.ts";
import type { Dice } from "./dice.ts";

/** What is done to a running cluster, and made good again before it ends. */
export type Fault = (cluster: Cluster, dice: Dice, leaseMs: number) => Promise<void>;

const nodeOf = ({ nodes }: Cluster, dice: Dice): ServiceNode => dice.pick(nodes);

export const FAULTS = {
  /** The process dies, and is started again. */
  async kill(cluster, dice) {
    const node = nodeOf(cluster, dice);
    await node.kill();
    await node.start();
  },
  /** It stands still for longer than its claims hold. */
  async pause(cluster, dice, leaseMs) {
    const node = nodeOf(cluster, dice);
    node.pause();
    await sleep(leaseMs + dice.between(200, 1_500));
    node.resume();
  },
  async cut(cluster, dice) {
    const { proxy } = nodeOf(cluster, dice);
    proxy.cut();
    await sleep(dice.between(50, 2_000));
    proxy.heal();
  },
  async stall(cluster, dice, leaseMs) {
    const { proxy } = nodeOf(cluster, dice);
    proxy.stall();
    await sleep(dice.between(500, leaseMs + 1_500));
    proxy.heal();
  },
  /** Connections break one by one, some of them between a commit and its answer. */
  async loseCommits(cluster, dice) {
    const { proxy } = nodeOf(cluster, dice);
    for (let count = 0; count < 4; count++) {
      void proxy.loseCommit(dice.pick(["insert_links", "steps"]), dice.pick(["before", "after"]));
      await sleep(dice.between(50, 400));
    }
  },
  async slow(cluster, dice) {
    const { proxy } = nodeOf(cluster, dice);
    proxy.delay(dice.between(20, 150));
    await sleep(dice.between(500, 2_000));
    proxy.delay(0);
  },
  /** The server ends some of the connections. */
  async terminate({ server }) {
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
  async powerCut({ server }, dice) {
    await server.halt("immediate");
    await sleep(dice.between(100, 1_500));
    await server.restart();
  },
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof FAULTS;
