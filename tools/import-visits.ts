import { z } from "zod";
import { accountOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { bodyText, line } from "../src/contract/params.ts";
import { invalidInput } from "../src/contract/parse-input.ts";
import { ImportedLog, presentReading } from "../src/contract/shapes/imported-log.ts";
import { hostOf } from "../src/indexing/sites/host.ts";
import { type SiteRow, siteOf } from "../src/indexing/sites/sites.ts";
import { readLog, UnreadableLog } from "../src/indexing/visits/read-log.ts";
import { recordVisits, rememberImport } from "../src/indexing/visits/visits.ts";
import { BODIES } from "../src/platform/body-limits.ts";
import { Refusal } from "../src/platform/errors/errors.ts";
import { formatNumber } from "../src/platform/format.ts";
import { SIZES } from "../src/platform/sizes.ts";

export default defineOperation({
  name: "import_visits",
  title: "Import visits of crawlers from an access log",
  description:
    "Reads an access log of a verified site, and keeps for each link which crawlers came, when, how often and with which status: Googlebot, bingbot, OAI-SearchBot, Claude-SearchBot, PerplexityBot and others. A crawler is verified by the networks that its operator publishes, or by its name in DNS; all others only say who they are. IP addresses are not kept. The same log again changes nothing.",
  access: { kind: "scope", scope: "index" },
  effect: "change",
  input: z.object({
    host: line(SIZES.hostField).describe("A verified host of add_site"),
    log: bodyText.describe(
      "The log: lines of the combined format, JSON lines, or a list of JSON objects, packed by gzip or not",
    ),
  }),
  output: ImportedLog,
  surfaces: ["rest"],
  skill: { tags: ["sites", "logs", "crawlers"] },
  example: {
    host: "www.example.com",
    log: '66.249.66.1 - - [04/Jan/2026:08:15:30 +0000] "GET / HTTP/1.1" 200 5120 "-" "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)"',
  },
  rest: { method: "POST", path: "/sites/{host}/visits", bodyField: "log" },
  toolset: "sites",
  limits: ["visit_imports"],
  async run({ host, log }, ctx) {
    const accountId = accountOf(ctx);
    const site = verified(await siteOf(ctx.db, accountId, hostOf(host)));
    const now = ctx.clock.now();
    const reading = await readLog(ctx, {
      body: typeof log === "string" ? Buffer.from(log) : log,
      maxBytes: BODIES.logUnpacked,
      host: site.host,
      accountId,
      now,
      latest: Math.max(now, ctx.clock.service()),
      signal: ctx.signal,
    }).catch(refuseUnreadable);
    return ctx.commit(async (tx) => {
      // A site may lose its verification while its log is read.
      const { id: siteId } = verified(await siteOf(tx, accountId, site.host));
      const isNew = await rememberImport(tx, { accountId, siteId, digest: reading.digest, at: now });
      if (isNew) await recordVisits(tx, accountId, reading.visits);
      return { ...presentReading(reading), replayed: !isNew };
    });
  },
});

/** @throws Refusal not_found, invalid_request */
function verified(site: SiteRow | null): SiteRow {
  if (!site) throw new Refusal("not_found", "This account has no such site. Call add_site with the host first.");
  if (site.status === "verified") return site;
  throw invalidInput([{ path: "host", message: "is not verified; call add_site, which says what to do" }]);
}

function refuseUnreadable(thrown: unknown): never {
  if (!(thrown instanceof UnreadableLog)) throw thrown;
  if (thrown.problem === "corrupt") throw invalidInput([{ path: "log", message: "is cut off, or not packed by gzip" }]);
  const max = BODIES.logUnpacked;
  const message = `The log is over ${formatNumber(max)} bytes when it is unpacked. Send less in one request.`;
  throw new Refusal("payload_too_large", message, { max_bytes: max });
}
