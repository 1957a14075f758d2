import type { VNode } from "preact";
import type getLink from "../../../../tools/get-link.ts";
import { FINDING_LABELS } from "../../../contract/finding-labels.ts";
import type { AnswerOf } from "../../../contract/operation.ts";
import { DAY } from "../../../platform/clock.ts";
import { formatNumber } from "../../../platform/format.ts";
import { Facts } from "../components/facts.tsx";
import { Nothing } from "../components/nothing.tsx";
import { Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import type { LinkEvidence } from "./domain.ts";
import {
  countsText,
  detailWords,
  ENGINE_NAMES,
  reasonWords,
  STAGE_LABELS,
  statusOfEngine,
  warningSentence,
} from "./evidence-words.ts";

/** The evidence of one URL, as get_link answers it. */
export type Link = AnswerOf<typeof getLink>;

export function Warnings({ link: { warnings } }: { link: Link }): VNode | null {
  if (warnings.length === 0) return null;
  return (
    <>
      <h2>What we noticed on the page</h2>
      <ul>
        {warnings.map((warning) => (
          <li key={warning}>
            {warningSentence(warning)} <code>{warning}</code>
          </li>
        ))}
      </ul>
    </>
  );
}

/** What each search engine was sent; nothing for a URL that is only checked. */
export function Engines({ link }: { link: Link }): VNode | null {
  const names = Object.keys(ENGINE_NAMES) as (keyof typeof ENGINE_NAMES)[];
  if (names.every((name) => link.engines[name].status === "off")) return null;
  return (
    <>
      <h2>Search engines</h2>
      <Table
        label="Search engines"
        rows={names.map((name) => ({ name, ...link.engines[name] }))}
        columns={[
          { head: "Engine", cell: ({ name }) => ENGINE_NAMES[name] },
          { head: "Status", cell: ({ status }) => statusOfEngine(status) },
          { head: "Provider", cell: ({ provider }) => provider ?? <Nothing /> },
          { head: "When", cell: ({ at }) => <Time at={at} /> },
          { head: "Detail", cell: ({ detail }) => <Detail detail={detail} /> },
        ]}
      />
    </>
  );
}

function Detail({ detail }: { detail: string | null }): VNode {
  if (detail === null) return <Nothing />;
  const words = detailWords(detail);
  return (
    <>
      {words} <code>{detail}</code>
    </>
  );
}

const CRAWL_SOURCES = {
  url_inspection: "URL Inspection",
  bing_url_info: "Bing's URL information",
  visits: "the site's access logs",
} as const;

/** When engines fetched the page, and what else is known of it by their tools and the site's logs. */
export function Crawls({ link: { crawls, facts } }: { link: Link }): VNode | null {
  const { referring_urls: referring, only_sitemap: onlySitemap, doubtful_crawl_time: doubtful } = facts;
  const isKnown = crawls.length > 0 || Object.values(facts).some((fact) => fact !== null);
  if (!isKnown) return null;
  return (
    <>
      <h2>Crawls, by the engines' own tools</h2>
      {crawls.length === 0 ? (
        <p>No crawl is known.</p>
      ) : (
        <Table
          label="Crawls, newest first"
          rows={crawls}
          columns={[
            { head: "Fetched", cell: ({ at }) => <Time at={at} /> },
            { head: "Engine", cell: ({ engine }) => ENGINE_NAMES[engine] },
            { head: "Outcome", cell: ({ status }) => (status === null ? <Nothing /> : <code>{status}</code>) },
            { head: "As", cell: ({ as }) => as ?? <Nothing /> },
            { head: "Source", cell: ({ source }) => CRAWL_SOURCES[source] },
          ]}
        />
      )}
      <Facts
        rows={[
          ["Pages that lead to it", referring === null ? null : referring.join(", ") || "none known"],
          ["Known from", onlySitemap === true ? "the sitemap alone" : null],
          ["Canonical of the page", facts.user_canonical],
          ["Canonical that Google chose", facts.google_canonical],
          ["Page changed", facts.page_changed_at === null ? null : <Time key="changed" at={facts.page_changed_at} />],
          ["Left out", doubtful === null ? null : `a time of a crawl that cannot be true (${DOUBTS[doubtful]})`],
        ]}
      />
    </>
  );
}

/** Who has visited the page, by the access logs of its site. */
export function Visits({ link: { visits } }: { link: Link }): VNode | null {
  if (visits.length === 0) return null;
  return (
    <>
      <h2>Visits, by the access logs of its site</h2>
      <Table
        label="Visits of crawlers, newest first"
        rows={visits}
        columns={[
          { head: "Crawler", cell: ({ agent }) => agent },
          { head: "Visits", isNumber: true, cell: ({ count }) => formatNumber(count) },
          { head: "First", cell: ({ first_at: at }) => <Time at={at} /> },
          { head: "Last", cell: ({ last_at: at }) => <Time at={at} /> },
          { head: "Answer", cell: ({ status }) => status ?? <Nothing /> },
          { head: "Verified", cell: ({ verified }) => VERIFIED[verified] },
        ]}
      />
    </>
  );
}

const VERIFIED = { range: "yes, by its address", dns: "yes, by its name", no: "no, it only claims to be" } as const;

/** Which crawlers of searches the page keeps out. */
export function Access({ link: { access } }: { link: Link }): VNode | null {
  const agents = Object.entries(access);
  if (agents.every(([, { allowed }]) => allowed === null)) return null;
  if (agents.every(([, { allowed }]) => allowed === true))
    return (
      <>
        <h2>Which crawlers may read it</h2>
        <p>All that we look for: {agents.map(([agent]) => agent).join(", ")}.</p>
      </>
    );
  return (
    <>
      <h2>Which crawlers may read it</h2>
      <Table
        label="Crawlers of searches"
        rows={agents}
        columns={[
          { head: "Crawler", cell: ([agent]) => agent },
          { head: "May", cell: ([, { allowed }]) => (allowed === null ? "not known" : allowed ? "yes" : "no") },
          { head: "Kept out by", cell: ([, { by }]) => (by === null ? <Nothing /> : <code>{by}</code>) },
        ]}
      />
    </>
  );
}

const DOUBTS = {
  in_future: "it is in the future",
  before_discovery: "it is before the engine knew the address",
  too_early: "it is older than the engine",
} as const;

export function Checks({ link, evidence: { start } }: { link: Link; evidence: LinkEvidence }): VNode {
  return (
    <>
      <h2>Checks in Google</h2>
      {link.checks.length === 0 ? (
        <p>It was not checked yet.</p>
      ) : (
        <Table
          label="Checks in Google, oldest first"
          rows={link.checks}
          columns={[
            { head: "When", cell: ({ at }) => <Time at={at} /> },
            { head: "Day", isNumber: true, cell: ({ at }) => String(Math.floor((Date.parse(at) - start) / DAY)) },
            { head: "Check", cell: ({ look }) => STAGE_LABELS[look] ?? look },
            { head: "Result", cell: ({ result }) => <Result result={result} /> },
            { head: "Reason", cell: ({ reason }) => <Reason reason={reason} /> },
            {
              head: "Provider",
              cell: ({ provider, method }) => `${provider}${method === provider ? "" : `, ${method}`}`,
            },
            { head: "Counts", cell: ({ counts }) => countsText(counts) },
          ]}
        />
      )}
    </>
  );
}

/** What Bing says of a site that its account has. It stands apart, since it decides nothing. */
export function BingCheck({ link: { bing_check: check } }: { link: Link }): VNode | null {
  if (check === null) return null;
  return (
    <>
      <h2>In Bing</h2>
      <Facts
        rows={[
          ["Result", BING_RESULTS[check.result]],
          ["Asked", <Time key="asked" at={check.at} />],
          ["Reason", check.reason === null ? null : <code key="reason">{check.reason}</code>],
        ]}
      />
    </>
  );
}

/** Of the words of results only what Google says is counted. */
const BING_RESULTS = { indexed: "Found", not_indexed: "Not found", unknown: "No reliable answer" } as const;

function Result({ result }: { result: Link["checks"][number]["result"] }): VNode {
  return <span class={`state state-${result}`}>{FINDING_LABELS[result]}</span>;
}

function Reason({ reason }: { reason: string | null }): VNode {
  if (reason === null) return <span class="soft">–</span>;
  return (
    <>
      {reasonWords(reason)} <code>{reason}</code>
    </>
  );
}
