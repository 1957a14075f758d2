import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { linkId } from "../../src/platform/ids.ts";
import { operations } from "../../tools/index.ts";
import { type CallRequest, costPerCall, startProgram } from "../calls.ts";
import { inFolder, round } from "../support.ts";
import { POSITION, READS, type ReadName, type Samples } from "./samples.ts";
import { type Served, startServed } from "./served.ts";

const PEERS = {
  "node:http, a constant": "./reads/node-peer.ts",
  "Fastify 5": "./reads/fastify-peer.ts",
  "Hono 4": "./reads/hono-peer.ts",
  "Express 5": "./reads/express-peer.ts",
};

/** Many accounts, since each key is limited to 120 calls a minute; projects for more than a page of list_projects. */
const SIZE = { accounts: 1_000, moreProjects: 20 };

/**
 * CPU of the server's process for each read that is asked often, in µs: the whole product as `npm start` runs it, beside
 * node:http that sends a constant of the same bytes, and three frameworks that look up the key by its SHA-256, limit, read
 * rows of the same values and send them. Medians of `rounds` of `calls` calls, the servers alternating.
 */
export async function benchReads(rounds: number, calls: number, names = Object.keys(READS) as ReadName[]) {
  return inFolder(async (folder) => {
    const served = await startServed(`file:${join(folder, "ours.db")}`, SIZE);
    const samples = join(folder, "samples.json");
    writeFileSync(samples, JSON.stringify(await samplesOf(served)));
    const peers = await Promise.all(
      Object.entries(PEERS).map(async ([name, program], index) => ({
        name,
        ...(await startProgram({ program, args: [samples, join(folder, `peer-${index}.db`)] })),
      })),
    );
    const rows = [];
    try {
      for (const read of names) {
        const request = (address: string) => (n: number) => requestOf(address, read, n, served.callers);
        const isRight = (status: number, text: string) => status === 200 && text.length > 100;
        const costs = await costPerCall(
          {
            ours: { process: served.process, facts: served, call: request(`${served.address}/api/v1`), isRight },
            ...Object.fromEntries(
              peers.map(({ name, process, facts }) => {
                const isConstant = name.startsWith("node:http");
                const call = isConstant
                  ? (n: number) => ({ ...request("")(n), url: `${facts.address}/${read}` })
                  : request(facts.address);
                return [name, { process, facts, call, isRight }];
              }),
            ),
          },
          rounds,
          calls,
        );
        rows.push({ read, costs });
      }
    } finally {
      for (const { process } of [...peers, served]) process.kill();
    }
    return rows.map(({ read, costs }) => {
      const { ours, ...others } = costs;
      const ratio = (name: keyof typeof PEERS) => round(ours!.median / others[name]!.median, 2);
      return {
        read,
        ours: ours!,
        peers: others,
        perConstant: ratio("node:http, a constant"),
        perFastify: ratio("Fastify 5"),
      };
    });
  });
}

/** Every call has the next key, since each is limited to 120 calls a minute. */
function requestOf(address: string, read: ReadName, n: number, callers: Served["callers"]): CallRequest {
  const { key, project } = callers[n % callers.length]!;
  const path = READS[read].replace("{project}", project).replace("{link}", linkId(project, POSITION));
  return { url: `${address}${path}`, headers: { Authorization: `Bearer ${key}` } };
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
