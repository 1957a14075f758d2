import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../../../db/open.ts";
import { type ChaosAccount, openAccount } from "./account.ts";
import { type Cluster, type ServiceNode, startCluster } from "./cluster.ts";
import { FAULTS, type FaultName, injectFault } from "./faults.ts";
import { checkInvariants } from "./invariants.ts";
import { auditRounds } from "./scheduler-invariants.ts";
import { SeededRandom } from "./seeded-random.ts";
import { type Submission, Submitter, type Tally } from "./submitter.ts";
import { waitUntilDrained } from "./wait-until-drained.ts";

export interface ChaosOptions {
  readonly seed: number;
  /** How long random faults are injected, in seconds. Ignored with `faults`, which are injected once each. */
  readonly seconds?: number;
  readonly faults?: readonly FaultName[];
  readonly nodes?: number;
  readonly submitters?: number;
  /** Prints a line for each event. */
  say?(line: string): void;
}

export interface ChaosReport {
  /** One sentence for each invariant that does not hold. */
  readonly problems: readonly string[];
  readonly faults: Readonly<Record<string, number>>;
  readonly tally: Readonly<Tally>;
  readonly projects: number;
  readonly links: number;
  readonly spent: number;
  readonly returned: number;
  /** Number of slots of the recurring job that were claimed. */
  readonly rounds: number;
}

/** Fourteen days pass in about 8 seconds. */
const SCALE = "150000";
const LEASE_MS = 3_000;
/** Clock offsets of the nodes in ms: only the first agrees with the database server. */
const CLOCKS_OFF = [0, 300_000, -300_000];
const KEYS_EACH = 6;
/** Credits of the accounts: the first has many and is used most, the second soon has none. */
const CREDITS = [2_000_000, 400, 50_000, 50_000, 50_000, 50_000];

/** Runs several nodes and many clients while faults are injected, lets everything finish, and checks the invariants. */
export async function chaos({
  seed,
  seconds = 10,
  faults,
  nodes = 3,
  submitters = 6,
  say = () => undefined,
}: ChaosOptions): Promise<ChaosReport> {
  const cluster = await startCluster({
    nodes,
    leaseMs: LEASE_MS,
    clocksOff: CLOCKS_OFF,
    settings: { TIME_SCALE: SCALE },
  });
  try {
    const startedAt = Date.now();
    const db = await openDatabase(cluster.url);
    try {
      const accounts = await Promise.all(CREDITS.map((credits) => openAccount(db, credits, KEYS_EACH)));
      await Promise.all(cluster.nodes.map((node) => node.start()));
      say(`${nodes} nodes serve`);
      const report = await runWithFaults(cluster, { seed, seconds, faults, submitters, say, accounts });
      say("no more faults");
      await waitUntilDrained(db, report.problems);
      await waitForScheduling(cluster.nodes, report.problems);
      await Promise.all(cluster.nodes.map((node) => stopNode(node, report.problems, say)));
      const { problems, ...figures } = await checkInvariants(db, { accounts, wanted: report.wanted, since: startedAt });
      const rounds = await auditRounds(db, cluster.nodes, problems);
      return {
        ...figures,
        rounds,
        faults: report.faults,
        tally: report.tally,
        problems: [...report.problems, ...problems],
      };
    } finally {
      await db.close();
    }
  } finally {
    await cluster.close();
  }
}

/** How long a node may take to claim slots again after it has lost the database. */
const ROUNDS_MS = 30_000;

/** Waits until every node claims slots of the recurring job again. */
async function waitForScheduling(nodes: readonly ServiceNode[], problems: string[]): Promise<void> {
  const since = Date.now();
  const left = () => nodes.filter(({ rounds }) => !rounds.some(({ what, at }) => what === "asked" && at > since));
  while (left().length > 0 && Date.now() < since + ROUNDS_MS) await sleep(200);
  for (const { index } of left()) problems.push(`node ${index} claims no slots any more`);
}

/** Stops a node, and reports an exit code other than 0, output other than log lines, and exits that nobody asked for. */
async function stopNode(node: ServiceNode, problems: string[], say: (line: string) => void): Promise<void> {
  const code = await node.stop();
  if (code !== 0) problems.push(`node ${node.index} ended with ${code}`);
  for (const noise of node.noise) problems.push(`node ${node.index} said: ${noise}`);
  for (const { level, msg, err } of node.log) {
    if (level >= ERROR) say(`node ${node.index}: ${msg}: ${err?.message ?? ""}`);
  }
}

/** The level "error" of pino. */
const ERROR = 50;

interface StormOptions extends Required<Pick<ChaosOptions, "seed" | "seconds" | "submitters">> {
  readonly faults: readonly FaultName[] | undefined;
  readonly accounts: readonly ChaosAccount[];
  say(line: string): void;
}

async function runWithFaults(cluster: Cluster, { seed, seconds, faults, submitters, accounts, say }: StormOptions) {
  const problems: string[] = [];
  const tally: Tally = { calls: 0, unavailable: 0, lost: 0, silent: 0, repeated: 0 };
  const counts: Record<string, number> = {};
  let isOver = false;
  const addresses = cluster.nodes.map((node) => node.address);
  const clients = Array.from(
    { length: submitters },
    (_, index) =>
      new Submitter(new SeededRandom(seed * 1_000 + index), `s${index}`, {
        accounts,
        addresses,
        tally,
        surprises: problems,
      }),
  );
  const submitting = Promise.all(clients.map((client) => client.run(() => isOver)));
  const random = new SeededRandom(seed);
  const inject = async (name: FaultName) => {
    counts[name] = (counts[name] ?? 0) + 1;
    say(name);
    await injectFault(cluster, name, { random, leaseMs: LEASE_MS });
  };
  if (faults) await injectOnce(inject, faults);
  else await injectAtRandom(inject, random, seconds);
  for (const { proxy } of cluster.nodes) proxy.heal();
  isOver = true;
  await submitting;
  const wanted: Submission[] = clients.flatMap((client) => client.wanted);
  return { problems, tally, faults: counts, wanted };
}

/** Injects each fault once, in order, two at a time. */
async function injectOnce(inject: (name: FaultName) => Promise<void>, faults: readonly FaultName[]): Promise<void> {
  const left = [...faults];
  const lane = async () => {
    for (let name = left.shift(); name; name = left.shift()) await inject(name);
  };
  await Promise.all([lane(), lane()]);
}

/** Injects random faults, up to two at a time, and power cuts of the server in between. */
async function injectAtRandom(
  inject: (name: FaultName) => Promise<void>,
  random: SeededRandom,
  seconds: number,
): Promise<void> {
  const endAt = performance.now() + seconds * 1_000;
  const others = FAULTS.filter((name) => name !== "powerCut");
  const lane = async () => {
    while (performance.now() < endAt) {
      await inject(random.pick(others));
      await sleep(random.between(100, 1_500));
    }
  };
  const powerCuts = async () => {
    while (performance.now() + 8_000 < endAt) {
      await sleep(Math.min(seconds * 400, 40_000));
      await inject("powerCut");
    }
  };
  await Promise.all([lane(), lane(), powerCuts()]);
}
