import { z } from "zod";
import type { Coverage } from "../../domain/coverage/read.ts";
import { DAY, iso } from "../../platform/clock.ts";

const count = z.number().int().min(0);

/** What Google has of the pages of a host. Open: fields may be added. */
export const HostCoverage = z
  .object({
    host: z.string(),
    site_id: z.string().nullable().describe("null unless it was added as a site"),
    pages: count,
    in_google: count,
    not_in_google: count,
    unknown: count.describe("Pages without a verdict"),
    as_of: z.string(),
    median_days: z.number().nullable().describe("From sending to the check that first found a page"),
    reasons: z.array(z.object({ reason: z.string(), count })).describe("Of not_in_google; the 5 most frequent"),
    series: z.array(z.object({ day: z.string().describe("YYYY-MM-DD, UTC"), pages: count, in_google: count })),
  })
  .meta({ id: "HostCoverage" });

/** @param siteId of the account's site with this host; null: there is none */
export function presentCoverage(coverage: Coverage, siteId: string | null): z.output<typeof HostCoverage> {
  const { host, pages, inGoogle, notInGoogle, medianDays, reasons, series } = coverage;
  return {
    host,
    site_id: siteId,
    pages,
    in_google: inGoogle,
    not_in_google: notInGoogle,
    unknown: pages - inGoogle - notInGoogle,
    as_of: iso(coverage.asOf),
    median_days: medianDays === null ? null : Math.round(10 * medianDays) / 10,
    reasons: reasons.map((one) => ({ ...one })),
    series: series.map((one) => ({
      day: iso(one.day * DAY).slice(0, 10),
      pages: one.pages,
      in_google: one.inGoogle,
    })),
  };
}
