import type { VNode } from "preact";
import getCoverage from "../../../../tools/get-coverage.ts";
import { CoverageHeadline, CoverageOverTime, CoverageReasons } from "../components/host-coverage.tsx";
import type { WebsiteServices } from "../shell/page-request.ts";
import { type OpenedShare, readAs, withAdvice } from "./domain.ts";

/** The results of a shared host, as get_coverage says them. */
export async function hostResults(services: WebsiteServices, opened: OpenedShare): Promise<VNode> {
  const { hosts } = await readAs(services, opened, getCoverage, { host: opened.share.host });
  const coverage = { ...hosts[0]!, reasons: hosts[0]!.reasons.map(withAdvice) };
  return (
    <>
      <p class="soft">{coverage.host}</p>
      <CoverageHeadline coverage={coverage} />
      <section>
        <h2>Over time</h2>
        <CoverageOverTime coverage={coverage} />
      </section>
      <CoverageReasons coverage={coverage} />
    </>
  );
}
