import { z } from "zod";
import { accountOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { limit, line, offset } from "../src/contract/params.ts";
import { HostCoverage, presentCoverage } from "../src/contract/shapes/coverage.ts";
import { coverageOf } from "../src/domain/coverage/read.ts";
import { hostOf } from "../src/indexing/sites/host.ts";
import { siteIdsOf } from "../src/indexing/sites/sites.ts";
import { SIZES } from "../src/platform/sizes.ts";

export default defineOperation({
  name: "get_coverage",
  title: "Coverage of hosts over time",
  description:
    "For each host, day by day: how much of it is in Google; now also how much is not and why, how much has no verdict, and how long it took. A URL counts once, by its newest verdict, whichever project, check or watch it came from.",
  access: { kind: "scope", scope: "read" },
  effect: "read",
  input: z.object({
    host: line(SIZES.hostField).optional().describe("Only this host, such as www.example.com"),
    days: z.number().int().min(1).max(SIZES.coverageDays).default(90).describe("How many days, up to today"),
    limit: limit(SIZES.coverageHosts, 20),
    offset,
  }),
  output: z.object({ hosts: z.array(HostCoverage), has_more: z.boolean() }),
  skill: { tags: ["sites", "coverage", "report"], commands: ["coverage"] },
  example: { host: "example.com", days: 14 },
  rest: { method: "GET", path: "/coverage" },
  toolset: "results",
  agentDefaults: { days: 30, limit: 5 },
  async run({ host, ...page }, ctx) {
    const { db, clock } = ctx;
    const accountId = accountOf(ctx);
    const wanted = { ...page, host: host === undefined ? null : hostOf(host), now: clock.service() };
    const { hosts, hasMore } = await coverageOf(db, accountId, wanted);
    const siteIds = await siteIdsOf(
      db,
      accountId,
      hosts.map((one) => one.host),
    );
    return {
      hosts: hosts.map((one) => presentCoverage(one, siteIds.get(one.host) ?? null)),
      has_more: hasMore,
    };
  },
});
