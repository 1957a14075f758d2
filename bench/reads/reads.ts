import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { linkId } from "../../src/platform/ids.ts";
import { operations } from "../../tools/index.ts";
import { type CallCost, costPerCall, startProgram, timesThatOf } from "../calls.ts";
import type { CallRequest } from "../connections.ts";
import type { Aim, Result } from "../result.ts";
import { withPostgres } from "../server.ts";
import { inFolder, round } from "../support.ts";
import { POSITION, READS, type ReadName, type Samples } from "./samples.ts";
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
/** Callers whose links are kept: all of theirs fit into the memory that is set aside for answers. */
const LINK_READERS = 300;

/** What is measured of ours for each read. */
const WAYS = {
  /** The caller's latest answer, while nothing was committed since that may have changed its account. */
  "from memory": (key: string) => ({ Authorization: `Bearer ${key}` }),
  /** The caller has it. */
  "304": (key: string) => ({ Authorization: `Bearer ${key}`, "If-None-Match": "*" }),
  /** As after a change, through the whole pipeline, which alone reads the name of the scheme in small letters. */
  "read anew": (key: string) => ({ Authorization: `bearer ${key}` }),
};

/** The read whose answer counts requests, so that it is never the same. */
const UNTAGGED: ReadName = "get_account";

/**
 * CPU of the server's process for each read that is asked often, in µs: the whole product as `npm start` runs it, beside
 * node:http that sends a constant of the same bytes, and three frameworks that look up the key by its SHA-256, limit, read
 * rows of the same values and send them. Medians of `rounds` of `calls` calls, the servers alternating.
 */
export async function benchReads(rounds: number, calls: number, names: readonly ReadName[]) {
  return inFolder(async (folder) => {
    const start = (name: string) => startServed(`file:${join(folder, `${name}.db`)}`, SIZE);
    return resultOf(await measure(folder, start, { peers: PEERS, names, rounds, calls }), rounds, calls);
  });
}

/** The same of ours alone on a PostgreSQL of its own, beside the constant; without the CPU of PostgreSQL. */
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

/** @param start a service of ours on a database of that name */
async function measure(
  folder: string,
  start: (name: string) => Promise<Served>,
  { peers: programs, names, rounds, calls }: Measurement,
) {
  const samples = join(folder, "samples.json");
  const served = await start("kept");
  // What the whole pipeline leaves to be collected is not to be paid for by answers from memory.
  const servedAnew = await start("anew");
  writeFileSync(samples, JSON.stringify(await samplesOf(served)));
  const peers = await Promise.all(
    Object.entries(programs).map(async ([name, program], index) => ({
      name,
      ...(await startProgram({ program, args: [samples, join(folder, `peer-${index}.db`)] })),
    })),
  );
  const rows = [];
  try {
    for (const read of names) {
      const callers =
        read === "list_links" ? served.callers.slice(0, LINK_READERS) : served.callers.slice(LINK_READERS);
      const ours = Object.entries(WAYS).flatMap(([way, headersOf]) => {
        if (way === "304" && read === UNTAGGED) return [];
        const isAnew = way === "read anew";
        const from = isAnew ? servedAnew : served;
        const of = isAnew ? servedAnew.callers : callers;
        const call = (n: number) => requestOf(`${from.address}/api/v1`, read, n, of, headersOf);
        const isRight = (status: number, text: string) =>
          way === "304" ? status === 304 : status === 200 && text.length > 100;
        return [[`ours, ${way}`, { process: from.process, facts: from, call, isRight }] as const];
      });
      const others = peers.map(({ name, process, facts }) => {
        const call = (n: number) => {
          const request = requestOf(facts.address, read, n, served.callers);
          return name === NODE ? { ...request, url: `${facts.address}/${read}` } : request;
        };
        const isRight = (status: number, text: string) => status === 200 && text.length > 100;
        return [name, { process, facts, call, isRight }] as const;
      });
      const contenders = Object.fromEntries([...ours, ...others]);
      // A list takes ten times as long as any other.
      const costs = await costPerCall(contenders, rounds, read === "list_links" ? Math.round(calls / 3) : calls);
      rows.push({ read, costs });
    }
  } finally {
    for (const { process } of [...peers, served, servedAnew]) process.kill();
  }
  return rows;
}

type Costs = Readonly<Record<string, CallCost>>;

function resultOf(rows: readonly { read: ReadName; costs: Costs }[], rounds: number, calls: number): Result {
  const perConstant: Partial<Record<ReadName, number>> = { get_account: 1.7, get_pricing: 1.7, list_links: 3 };
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
      `CPU for a call in µs: median of ${rounds} rounds of ${calls} calls (least–most), of list_links a third. A ratio is the median of the rounds' ratios, since what disturbs a round disturbs all who take part in it.`,
      `The client takes less for a call than any server, so that the servers do not wait for it: the one that waited most had work for ${busyPercent} % of the time.`,
      "It does not sleep either: a server that has to wake its client pays for that.",
      "`from memory`: the same caller asked before, and its account is the same since; `304`: with the entity tag of the answer;",
      "`read anew`: by the whole pipeline, as after each change of the account. The frameworks look up the key by its SHA-256 in better-sqlite3,",
      "limit, read rows of the same values and serialise them, by a schema where they can; node:http sends a constant to anybody.",
    ].join(" "),
    rows: Object.fromEntries(
      rows.map(({ read, costs }) => {
        const cells = Object.entries(costs).map(([name, cost]) => [name, text(cost)] as const);
        return [read, Object.fromEntries(cells)];
      }),
    ),
    aims: rows.flatMap(({ read, costs }): Aim[] => {
      const ratio = (way: keyof typeof WAYS, name: string) => {
        const other = costs[name];
        return other ? round(timesThatOf(costs[`ours, ${way}`]!, other), 2) : Number.NaN;
      };
      const times = (what: string, measured: number, most: number): Aim => ({ what, measured, most, unit: "×" });
      return (["from memory", "read anew"] as const).flatMap((way) => [
        ...(perConstant[read] ? [times(`${read} ${way} / node:http`, ratio(way, NODE), perConstant[read])] : []),
        times(`${read} ${way} / Fastify`, ratio(way, FASTIFY), 0.8),
        ...(costs["ours, 304"] && way === "read anew"
          ? [times(`${read} 304 / read anew`, ratio("304", "ours, read anew"), 0.5)]
          : []),
      ]);
    }),
  };
}

/** Every call has the next key, since each is limited to 120 calls a minute. */
function requestOf(
  address: string,
  read: ReadName,
  n: number,
  callers: Served["callers"],
  headersOf: (key: string) => Readonly<Record<string, string>> = WAYS["from memory"],
): CallRequest {
  const { key, project } = callers[n % callers.length]!;
  const path = READS[read].replace("{project}", project).replace("{link}", linkId(project, POSITION));
  return { url: `${address}${path}`, headers: headersOf(key) };
}

async function samplesOf({ address, callers }: Served): Promise<Samples> {
  const answers = {} as Record<ReadName, Record<string, unknown>>;
  const schemas = {} as Record<ReadName, Record<string, unknown>>;
  for (const name of Object.keys(READS) as ReadName[]) {
    const { url, headers } = requestOf(`${address}/api/v1`, name, 0, callers);
    const response = await fetch(url, { headers });
    if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
    answers[name] = (await response.json()) as Record<string, unknown>;
    schemas[name] = z.toJSONSchema(operations.find((one) => one.name === name)!.output);
  }
  const keys = callers.map(({ key }) => key);
  const projects = callers.map(({ project }) => project);
  return { keys, projects, answers, schemas };
}
