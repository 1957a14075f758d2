import type { VNode } from "preact";
import getCoverage from "../../../../tools/get-coverage.ts";
import { formatDays, formatNumber, formatPercent } from "../../../platform/format.ts";
import { CoverageChart } from "../charts/coverage-chart.tsx";
import { Time } from "../components/time.tsx";
import type { WebsiteServices } from "../shell/page-request.ts";
import { adviceFor, type OpenedShare, readAs } from "./reading.ts";
import { Reasons } from "./reasons.tsx";

/** The results of a shared host, as get_coverage says them. */
export async function hostResults(services: WebsiteServices, opened: OpenedShare): Promise<VNode> {
  const { hosts } = await readAs(services, opened, getCoverage, { host: opened.share.host });
  const { host, pages, in_google, unknown, as_of, median_days, reasons, series } = hosts[0]!;
  return (
    <>
      <p class="headline">
        <strong>
          {formatNumber(in_google)} of {formatNumber(pages)}
        </strong>{" "}
        pages of {host} in Google ({formatPercent(in_google, pages)})
        {median_days !== null && ` · half of them within ${formatDays(median_days)}`}
        {unknown > 0 && ` · ${formatNumber(unknown)} unknown`}
      </p>
      <p class="soft">
        As of <Time at={as_of} />
      </p>
      <section>
        <h2>Over time</h2>
        <CoverageChart series={series} host={host} />
      </section>
      <Reasons
        total={pages}
        most={reasons.length}
        reasons={reasons.map(({ reason, count }) => {
          const { meaning, nextStep } = adviceFor(reason);
          return { finding: "not_indexed", words: meaning, count, nextStep };
        })}
      />
    </>
  );
}
