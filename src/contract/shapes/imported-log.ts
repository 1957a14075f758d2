import { z } from "zod";
import type { LogReading } from "../../indexing/visits/read-log.ts";

const count = z.number().int();

/** What an access log came to. */
export const ImportedLog = z.object({
  lines: count.describe("Records of the log"),
  matched: count.describe("Visits of known crawlers to links of the account"),
  verified: count.describe("Of matched"),
  unverified: count.describe("Of matched: somebody claims to be the crawler"),
  other_hosts: count.describe("Requests for other hosts; they are left out"),
  unreadable: count.describe("Records in no known format, or with a time of the future or of more than 400 days ago"),
  replayed: z.boolean().describe("true: this log was imported in the last 7 days, and nothing was changed"),
  agents: z.array(z.object({ agent: z.string(), count, verified: count })).describe("Of matched, the most first"),
});

export function presentReading({
  lines,
  unreadable,
  otherHosts,
  visits,
}: LogReading): Omit<z.output<typeof ImportedLog>, "replayed"> {
  const agents = new Map<string, { agent: string; count: number; verified: number }>();
  for (const { agent, count, verified } of visits) {
    const row = agents.get(agent) ?? { agent, count: 0, verified: 0 };
    row.count += count;
    row.verified += verified === "no" ? 0 : count;
    agents.set(agent, row);
  }
  const rows = [...agents.values()].sort((a, b) => b.count - a.count);
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0);
  const [matched, known] = [sum(({ count }) => count), sum(({ verified }) => verified)];
  return {
    ...{ lines, matched, verified: known, unverified: matched - known, other_hosts: otherHosts },
    ...{ unreadable, agents: rows },
  };
}
