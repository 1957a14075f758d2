import type { VNode } from "preact";
import type getCoverage from "../../../../tools/get-coverage.ts";
import type { AnswerOf } from "../../../contract/operation.ts";
import { formatNumber, formatPercent } from "../../../platform/format.ts";
import { Sparkline } from "../charts/sparkline.tsx";
import { Nothing } from "../components/nothing.tsx";
import { Table } from "../components/table.tsx";
import { PATHS, sitePath } from "../shell/addresses.ts";
import { reasonWords } from "./domain.ts";

type CoverageAnswer = AnswerOf<typeof getCoverage>;
type Host = CoverageAnswer["hosts"][number];

/** How many days the lines are long. */
export const COVERED_DAYS = 30;

/** The hosts with the most pages: how many of them Google has, how that went, and why it does not have the others. */
export function Coverage({ hosts, has_more: hasMore }: CoverageAnswer): VNode {
  return (
    <>
      <h2>Your pages in Google</h2>
      <Table
        label="Your pages in Google"
        isDense
        rows={hosts}
        columns={[
          { head: "Site", cell: (host) => <HostName host={host} /> },
          { head: "Pages known", isNumber: true, cell: ({ pages }) => formatNumber(pages) },
          { head: "In Google", isNumber: true, isOneLine: true, cell: (host) => <InGoogle host={host} /> },
          { head: `Last ${COVERED_DAYS} days`, cell: (host) => <Line host={host} /> },
          { head: "First reason why not", cell: ({ reasons: [first] }) => <Reason reason={first} /> },
        ]}
      />
      {hasMore && (
        <p>
          <a href={PATHS.sites}>All sites</a>
        </p>
      )}
    </>
  );
}

function HostName({ host: { host } }: { host: Host }): VNode {
  return (
    <div class="host">
      <a href={sitePath(host)}>{host}</a>
    </div>
  );
}

function InGoogle({ host: { pages, in_google: found } }: { host: Host }): VNode {
  return (
    <>
      {formatNumber(found)} <span class="soft">{formatPercent(found, Math.max(1, pages))}</span>
    </>
  );
}

function Line({ host: { host, pages, in_google: now, series } }: { host: Host }): VNode {
  const [first] = series;
  const description = first
    ? `${host}: ${formatNumber(first.in_google)} pages in Google on ${first.day}, ${formatNumber(now)} now`
    : `${host}: nothing is known yet`;
  return (
    <Sparkline
      values={series.map((day) => day.in_google)}
      days={COVERED_DAYS}
      most={Math.max(pages, ...series.map((day) => day.in_google))}
      description={description}
    />
  );
}

function Reason({ reason }: { reason: Host["reasons"][number] | undefined }): VNode {
  if (!reason) return <Nothing />;
  return (
    <>
      {reasonWords(reason.reason)} <span class="soft">{formatNumber(reason.count)}</span>
    </>
  );
}
