import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { ImportVisitsAnswer } from "../../generated/calls.ts";
import { type Command, type Context, textIn, UsageError } from "../command.ts";
import { openLog, partsOf } from "../read-log.ts";
import { plain } from "../safe-terminal.ts";
import { list, table } from "../table.ts";

const packed = promisify(gzip);

export const visits: Command = {
  name: "visits",
  operands: "[FILE… | -]",
  about: "Import access logs, so that links show which crawlers came",
  detail:
    "A file, and - for standard input, has lines of the combined format or of JSON, and may be packed by gzip. It is sent in parts as it is read. A part that was sent in the last 7 days changes nothing, so the same command can be run again. IP addresses are not kept.",
  options: { site: { value: "HOST", about: "The verified site whose log it is" } },
  async run(operands, values, context) {
    const host = textIn(values, "site");
    if (host === undefined) throw new UsageError("Name the site whose log it is: --site www.example.com");
    if (operands.length === 0) throw new UsageError("FILE is missing: name the log, or - for standard input.");
    const logs = await Promise.all(operands.map((path) => openLog(path, context)));
    const total: Total = { parts: 0, replayed_parts: 0, ...NOTHING, agents: [] };
    for (const log of logs) {
      let read = 0;
      for await (const part of partsOf(log, (bytes) => {
        read += bytes;
      })) {
        add(total, await send(context, host, part));
        await show(context, `${log.name}: ${megabytes(read, log.bytes)}, ${total.matched} visits`);
      }
    }
    if (isShown(context)) await context.redraw("");
    return { data: total, text: textOf(total, context.width) };
  },
};

type Counts = Omit<ImportVisitsAnswer, "agents" | "replayed">;

const NOTHING: Counts = { lines: 0, matched: 0, verified: 0, unverified: 0, other_hosts: 0, unreadable: 0 };

/** What all parts of all files come to. Of parts that were sent before, only their number counts. */
type Total = { -readonly [Name in keyof Counts]: Counts[Name] } & {
  parts: number;
  replayed_parts: number;
  agents: ImportVisitsAnswer["agents"];
};

async function send({ client, signal }: Context, host: string, part: Buffer): Promise<ImportVisitsAnswer> {
  const log = new Uint8Array(await packed(part));
  // The client sends bytes as they are.
  return client.importVisits({ host, log: log as unknown as string }, { signal });
}

function add(total: Total, { replayed, agents, ...counts }: ImportVisitsAnswer): void {
  total.parts += 1;
  if (replayed) {
    total.replayed_parts += 1;
    return;
  }
  for (const name of Object.keys(NOTHING) as (keyof Counts)[]) total[name] += counts[name];
  const rows = new Map(total.agents.map((row) => [row.agent, row]));
  for (const { agent, count, verified } of agents) {
    const row = rows.get(agent) ?? { agent, count: 0, verified: 0 };
    rows.set(agent, { agent, count: row.count + count, verified: row.verified + verified });
  }
  total.agents = [...rows.values()].sort((a, b) => b.count - a.count);
}

function isShown({ json, isOutputTerminal }: Context): boolean {
  return isOutputTerminal && !json;
}

async function show(context: Context, line: string): Promise<void> {
  if (isShown(context)) await context.redraw(plain(line));
}

function megabytes(read: number, all: number | null): string {
  const of = (bytes: number) => (bytes / 1e6).toFixed(1);
  return all === null ? `${of(read)} MB` : `${of(read)} of ${of(all)} MB`;
}

function textOf({ agents, parts, replayed_parts, ...counts }: Total, width: number): string {
  const { lines, matched, verified, other_hosts, unreadable } = counts;
  const facts = list({
    lines,
    "visits to your links": matched,
    "of them verified": verified,
    "for other hosts": other_hosts,
    unreadable,
    ...(replayed_parts > 0 ? { "parts sent before": `${replayed_parts} of ${parts}, which changed nothing` } : {}),
  });
  return agents.length === 0 ? facts : `${facts}\n\n${table(agents, width)}`;
}
