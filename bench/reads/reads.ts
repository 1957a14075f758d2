import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { linkId } from "../../src/platform/ids.ts";
import { type CallCost, costPerCall, costTogether, startProgram, timesThatOf } from "../calls.ts";
import type { CallRequest } from "../connections.ts";
import type { Aim, Result } from "../result.ts";
import { withPostgres } from "../server.ts";
import { inFolder, round } from "../support.ts";
import { POSITION, READS, type ReadName, type Samples, UNTAGGED } from "./samples.ts";
import { type Served, startServed } from "./served.ts";

const NODE = "node:http, a constant";
const BARE = "node:http, by hand";
const FASTIFY = "Fastify 5";
const PEERS = {
  [NODE]: "./reads/node-peer.ts",
  [BARE]: "./reads/bare-peer.ts",
  [FASTIFY]: "./reads/fastify-peer.ts",
  "Hono 4": "./reads/hono-peer.ts",
  "Express 5": "./reads/express-peer.ts",
};

/** Many keys, since each is limited to 120 calls a minute; some projects for list_projects. */
const SIZE = { accounts: 320, keys: 10, moreProjects: 20 };
const OURS = "ours";
/** The caller has the answer. */
const UNCHANGED = "ours, 304";

/** Most times the CPU of Fastify: a list is mostly reading and writing, where all do the same. */
const MOST_PER_FASTIFY: Readonly<Record<ReadName, number>> = {
  get_account: 1.4,
  get_pricing: 1.4,
  get_project: 1.4,
  list_projects: 1.1,
  list_links: 1.1,
  get_link: 1.4,
};

/**
 * CPU of the server's process for each read that is asked often, in µs: the whole product as `npm start` runs it, against
 * node:http that sends a constant of the same bytes, and three frameworks that look up the key by its SHA-256, limit, read
 * rows of the same values, check and send them. Medians of `rounds` of `calls` calls, the servers alternating.
 */
export async function benchReads(rounds: number, calls: number, names: readonly ReadName[]) {
  return inFolder(async (folder) => {
    const start = (name: string) => startServed(`file:${join(folder, `${name}.db`)}`, SIZE);
    return resultOf(await measure(folder, start, { peers: PEERS, names, rounds, calls }), rounds, calls);
  });
}

/** The same of ours alone on a PostgreSQL of its own, against the constant; without the CPU of PostgreSQL. */
export function benchReadsOnPostgres(rounds: number, calls: number, names: readonly ReadName[]) {
  return inFolder((folder) =>
    withPostgres(async (server) => {
      const start = async (name: string) => startServed(await server.create(name), SIZE);
      const rows = await measure(folder, start, { peers: { [NODE]: PEERS[NODE] }, names, rounds, calls });
      const result = resultOf(rows, rounds, calls);
      const title = "Reads over REST, on PostgreSQL";
      const about = `CPU of the service for a call in µs, without that of PostgreSQL: median of ${rounds} rounds of ${calls} calls (least–most).`;
      return { ...result, bench: "reads-postgres", title, about, aims: [] };
    }),
  );
}

interface Measurement {
  readonly peers: Readonly<Record<string, string>>;
  readonly names: readonly ReadName[];
  readonly rounds: number;
  readonly calls: number;
}

/** A process is up to a fifth faster or slower than another of the same program, so each program is started so many times. */
const STARTS = 3;

/** @param start a service of ours on a database of that name */
async function measure(folder: string, start: (name: string) => Promise<Served>, measurement: Measurement) {
  const rounds = measurement.rounds / STARTS;
  const found: Awaited<ReturnType<typeof measureOnce>>[] = [];
  for (let at = 0; at < STARTS; at++) found.push(await measureOnce(folder, start, { ...measurement, rounds, at }));
  return found[0]!.map(({ read, costs }, row) => {
    const ofAll = (name: string) => costTogether(found.map((rows) => rows[row]!.costs[name]!));
    return { read, costs: Object.fromEntries(Object.keys(costs).map((name) => [name, ofAll(name)])) };
  });
}

async function measureOnce(
  folder: string,
  start: (name: string) => Promise<Served>,
  { peers: programs, names, rounds, calls, at }: Measurement & { readonly at: number },
) {
  const samples = join(folder, `samples-${at}.json`);
  const served = await start(`ours_${at}`);
  writeFileSync(samples, JSON.stringify(await samplesOf(served)));
  const peers = await Promise.all(
    Object.entries(programs).map(async ([name, program], index) => ({
      name,
      ...(await startProgram(program, [samples, join(folder, `peer-${at}-${index}.db`)])),
    })),
  );
  const rows = [];
  try {
    for (const read of names) {
      const isAnswer = (status: number, text: string) => status === 200 && text.length > 100;
      const call = (n: number) => requestOf(`${served.address}/api/v1`, read, n, served.callers);
      const plain = { process: served.process, call, isRight: isAnswer };
      const unchanged = {
        ...plain,
        call(n: number) {
          const { url, headers } = call(n);
          return { url, headers: { ...headers, "If-None-Match": "*" } };
        },
        isRight: (status: number) => status === 304,
      };
      const ours = [[OURS, plain] as const, ...(read === UNTAGGED ? [] : [[UNCHANGED, unchanged] as const])];
      const others = peers.map(({ name, process, address }) => {
        const call = (n: number) => {
          const request = requestOf(address, read, n, served.callers);
          return name === NODE ? { ...request, url: `${address}/${read}` } : request;
        };
        return [name, { process, call, isRight: isAnswer }] as const;
      });
      const contenders = Object.fromEntries([...ours, ...others]);
      // A list takes ten times as long as any other.
      const costs = await costPerCall(contenders, rounds, read === "list_links" ? Math.round(calls / 3) : calls);
      rows.push({ read, costs });
    }
  } finally {
    for (const { process } of [...peers, served]) process.kill();
  }
  return rows;
}

type Costs = Readonly<Record<string, CallCost>>;

function resultOf(rows: readonly { read: ReadName; costs: Costs }[], rounds: number, calls: number): Result {
  const text = ({ median, least, most }: CallCost) => `${round(median, 0)} (${round(least, 0)}–${round(most, 0)})`;
  const busyPercent = round(
    Math.min(...rows.flatMap(({ costs }) => Object.values(costs).map(({ busy }) => busy))) * 100,
    0,
  );
  return {
    bench: "reads",
    title: "Reads over REST",
    about: [
      "The product as `npm start` runs it, with checker, metrics and counts: the caller identified, limited and counted, the output checked.",
      `CPU for a call in µs: median of ${rounds} rounds of ${calls} calls (least–most), of list_links a third, in ${STARTS} processes one after the other. A ratio is the median of the rounds' ratios, since what disturbs a round disturbs all who take part in it.`,
      `The client takes less for a call than any server, so that the servers do not wait for it: the one that waited most had work for ${busyPercent} % of the time.`,
      "It does not sleep either: a server that has to wake its client pays for that.",
      "Each call is answered from the database. `304`: the caller has the answer already. The frameworks look up the key by its SHA-256",
      "in better-sqlite3 with its holder's role and the state of the account, as each call of the product does, limit, read rows of the same values,",
      "check them by the product's own zod schemas (Fastify by its type provider for zod), tag answers by their hash, send the same headers, and",
      "count it for its account and its key, writing these counts once a second, and observe it in a histogram of prom-client.",
      "By hand, nothing is checked, tagged or observed; a constant goes to anybody.",
      "Earlier versions of this page had answers from memory, which cost half of Fastify's. They are gone: a key may ask 120 times a minute,",
      "so they saved an account seconds of CPU a day, and every transaction had to say whose data it changed, or a revoked key would have lived on.",
    ].join(" "),
    rows: Object.fromEntries(
      rows.map(({ read, costs }) => {
        const cells = Object.entries(costs).map(([name, cost]) => [name, text(cost)] as const);
        return [read, Object.fromEntries(cells)];
      }),
    ),
    aims: rows.flatMap(({ read, costs }): Aim[] => {
      const fastify = costs[FASTIFY];
      if (!fastify) return [];
      const measured = round(timesThatOf(costs[OURS]!, fastify), 2);
      return [{ what: `${read} / Fastify`, measured, most: MOST_PER_FASTIFY[read], unit: "×" }];
    }),
  };
}

/** Every call has the next key, since each is limited to 120 calls a minute. */
function requestOf(address: string, read: ReadName, n: number, callers: Served["callers"]): CallRequest {
  const { key, project } = callers[n % callers.length]!;
  const path = READS[read].replace("{project}", project).replace("{link}", linkId(project, POSITION));
  return { url: `${address}${path}`, headers: { Authorization: `Bearer ${key}` } };
}

async function samplesOf({ address, callers }: Served): Promise<Samples> {
  const answers = {} as Record<ReadName, Record<string, unknown>>;
  for (const name of Object.keys(READS) as ReadName[]) {
    const { url, headers } = requestOf(`${address}/api/v1`, name, 0, callers);
    const response = await fetch(url, { headers });
    if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
    answers[name] = (await response.json()) as Record<string, unknown>;
  }
  const keys = callers.map(({ key }) => key);
  const projects = callers.map(({ project }) => project);
  return { keys, projects, answers };
}
