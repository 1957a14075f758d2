import type { VNode } from "preact";
import getLink from "../../../../tools/get-link.ts";
import getProject from "../../../../tools/get-project.ts";
import type { AnswerOf } from "../../../contract/operation.ts";
import { DAY } from "../../../platform/clock.ts";
import { formatCount } from "../../../platform/format.ts";
import { cut } from "../../../platform/text.ts";
import { Facts } from "../components/facts.tsx";
import { Nothing } from "../components/nothing.tsx";
import { ServiceClock } from "../components/service-clock.tsx";
import { Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { ExternalLink, UrlText } from "../components/url-text.tsx";
import { PATHS } from "../shell/addresses.ts";
import { readOperation } from "../shell/call-operation.ts";
import { dashboardPage } from "../shell/dashboard-page.tsx";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { AdviceText } from "./advice-text.tsx";
import {
  countsText,
  detailWords,
  ENGINE_NAMES,
  reasonWords,
  STAGE_LABELS,
  statusOfEngine,
  warningSentence,
} from "./evidence-words.ts";
import { stateSentence } from "./link-states.ts";
import { evidenceAt, type LinkEvidence } from "./reading.ts";

const TITLE_LENGTH = 80;
const SHOWN_AT_ONCE = 300;

type Link = AnswerOf<typeof getLink>;

/** `/dashboard/projects/:id/links/:linkId`: one URL with all its evidence, the answer of get_link. */
export async function linkPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const evidence = await evidenceAt(services, request);
  const ids = { project_id: request.param("id"), link_id: request.param("linkId") };
  const link = await readOperation(services, request, getLink, ids);
  const project = await readOperation(services, request, getProject, { project_id: ids.project_id });
  const body = (
    <>
      <p>
        <a href={`${PATHS.projects}/${project.id}`}>
          Back to <bdi>{project.name}</bdi>
        </a>
      </p>
      <p>
        <strong class={`state sentence state-${evidence.finding}`}>{stateSentence(evidence)}</strong>
      </p>
      <ServiceClock now={services.clock.service()} real={request.now} />
      {link.advice && (
        <>
          <h2>What to do</h2>
          <AdviceText advice={{ ...link.advice, nextStep: link.advice.next_step }} />
        </>
      )}
      <LinkFacts link={link} />
      <Warnings link={link} />
      <Engines link={link} />
      <Crawls link={link} />
      <Access link={link} />
      <Checks link={link} evidence={evidence} />
      <BingCheck link={link} />
    </>
  );
  const address = link.url.replace(/^https?:\/\//, "");
  const heading = <UrlText url={address} most={TITLE_LENGTH} />;
  request.show(dashboardPage({ section: "projects", title: cut(address, TITLE_LENGTH), heading, body }));
}

function LinkFacts({ link }: { link: Link }): VNode {
  const { url, credits, credits_returned: returned, status } = link;
  return (
    <Facts
      rows={[
        ["URL", <WholeUrl key="url" url={url} />],
        ["ID", <code key="id">{link.id}</code>],
        ["Status", <code key="status">{status}</code>],
        ["Reason", link.error_message],
        [
          "Credits",
          credits === null
            ? "none of its own: a check is paid by the group"
            : `${credits} spent, ${returned ?? "returned together with the project's"}${returned === null ? "" : " returned"}`,
        ],
        ["Created", <Time key="created" at={link.created_at} />],
        ["Planned", credits === null ? null : <Time key="planned" at={link.scheduled_at} />],
        ["Sent", credits === null ? null : <Time key="sent" at={link.sent_at} never="not sent" />],
        ["Indexed since", <Time key="indexed" at={link.indexed_at} never="not found in Google" />],
        ["First found", <Time key="first-found" at={link.first_found_at} never="not found in Google" />],
        ["Last found", <Time key="last-found" at={link.last_found_at} never="not found in Google" />],
        ["Last check", <Time key="last" at={link.checked_at} never="not checked yet" />],
        ["Next check", <Time key="next" at={link.next_check_at} never="none is planned" />],
      ]}
    />
  );
}

/** The whole URL. A long one opens when the reader asks for it. */
function WholeUrl({ url }: { url: string }): VNode {
  const open = <ExternalLink url={url}>Open it</ExternalLink>;
  if (url.length <= SHOWN_AT_ONCE)
    return (
      <>
        <code>{url}</code> {open}
      </>
    );
  return (
    <>
      <code>{cut(url, SHOWN_AT_ONCE)}…</code> {open}
      <details>
        <summary>All {formatCount(url.length, "character")}</summary>
        <code>{url}</code>
      </details>
    </>
  );
}

function Warnings({ link: { warnings } }: { link: Link }): VNode | null {
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

function Engines({ link }: { link: Link }): VNode {
  const names = Object.keys(ENGINE_NAMES) as (keyof typeof ENGINE_NAMES)[];
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
function Crawls({ link: { crawls, facts } }: { link: Link }): VNode | null {
  const { referring_urls: referring, only_sitemap: onlySitemap, doubtful_crawl_time: doubtful } = facts;
  const isKnown = crawls.length > 0 || Object.values(facts).some((fact) => fact !== null);
  if (!isKnown) return null;
  return (
    <>
      <h2>When engines fetched it</h2>
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

/** Which crawlers of searches the page keeps out. */
function Access({ link: { access } }: { link: Link }): VNode | null {
  const agents = Object.entries(access);
  if (agents.every(([, { allowed }]) => allowed === null)) return null;
  return (
    <>
      <h2>Who may read it</h2>
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

function Checks({ link, evidence: { start } }: { link: Link; evidence: LinkEvidence }): VNode {
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
function BingCheck({ link: { bing_check: check } }: { link: Link }): VNode | null {
  if (check === null) return null;
  return (
    <>
      <h2>In Bing</h2>
      <Facts
        rows={[
          ["Result", <Result key="result" result={check.result} />],
          ["Asked", <Time key="asked" at={check.at} />],
          ["Reason", check.reason === null ? null : <code key="reason">{check.reason}</code>],
        ]}
      />
    </>
  );
}

const RESULTS = { indexed: "Found", not_indexed: "Not found", unknown: "No reliable answer" } as const;

function Result({ result }: { result: keyof typeof RESULTS }): VNode {
  return <span class={`state state-${result}`}>{RESULTS[result]}</span>;
}

function Reason({ reason }: { reason: string | null }): VNode {
  if (reason === null) return <span class="soft">–</span>;
  return (
    <>
      {reasonWords(reason)} <code>{reason}</code>
    </>
  );
}
