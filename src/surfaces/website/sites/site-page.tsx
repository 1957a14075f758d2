import type { VNode } from "preact";
import getCoverage from "../../../../tools/get-coverage.ts";
import listSites from "../../../../tools/list-sites.ts";
import listWatches from "../../../../tools/list-watches.ts";
import type { AnswerOf } from "../../../contract/operation.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { formatCount, formatNumber } from "../../../platform/format.ts";
import { allows } from "../../../platform/roles.ts";
import { SEARCH_SERVICES } from "../../../platform/search-services.ts";
import { SIZES } from "../../../platform/sizes.ts";
import { Button } from "../components/button.tsx";
import { Form } from "../components/form.tsx";
import {
  type CoverageFacts,
  CoverageHeadline,
  CoverageOverTime,
  CoverageReasons,
} from "../components/host-coverage.tsx";
import { Notice } from "../components/notice.tsx";
import { Table } from "../components/table.tsx";
import { Day, Time } from "../components/time.tsx";
import { newSharePath, PATHS, sitePath } from "../shell/addresses.ts";
import { readOperation } from "../shell/call-operation.ts";
import { dashboardPage } from "../shell/dashboard-page.tsx";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { FAILURES } from "./connections/words.ts";
import { alsoOf, type HostConnection, type HostVisits, withAdvice } from "./domain.ts";
import { outcomeOf, type Site, SiteVerification } from "./verification.tsx";
import { INTERVAL_WORDS, STATUS_WORDS, type Watch } from "./watches/watch-words.ts";

/** How many days the chart may show. */
const SPANS = [30, 90, SIZES.coverageDays];

/** `/dashboard/sites/:host`: what Google has of a host by day, why not the rest, and all that goes on there. */
export async function sitePage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const host = request.param("host");
  const days = SPANS.find((span) => String(span) === request.query("days")) ?? 90;
  const [{ sites }, { hosts }, { watches }] = await Promise.all([
    readOperation(services, request, listSites, { limit: SIZES.pageLimit }),
    coverageAt(services, request, { host, days }),
    readOperation(services, request, listWatches, { limit: SIZES.pageLimit }),
  ]);
  const site = sites.find((one) => one.host === host);
  const [found] = hosts;
  if (!site && !found)
    throw new Refusal("not_found", "Your account has no such site. The list of sites shows all that it has.");
  const coverage = found && { ...found, reasons: found.reasons.map(withAdvice) };
  const { projects, visits, connections } = await alsoOf(services, request, host);
  const own = watches.filter(({ sitemap_url: url }) => URL.parse(url)?.host === host);
  const body = (
    <>
      <p class="row">
        <a href={PATHS.sites}>All sites</a>
        {coverage && allows(request.session.role, "share") && <a href={newSharePath({ host })}>Share</a>}
      </p>
      {coverage ? <CoverageHeadline coverage={coverage} /> : <p>No page of this host was looked up in Google yet.</p>}
      <div class="panels">
        <div>
          {coverage && <OverTime coverage={coverage} days={days} />}
          {coverage && <CoverageReasons coverage={coverage} />}
        </div>
        <div>
          <Verification request={request} host={host} site={site} />
          <Connections connections={connections} />
          <Watches host={host} watches={own} />
        </div>
      </div>
      <Visits visits={visits} />
      <Projects projects={projects} />
    </>
  );
  const message = site && request.query("checked") === "1" && (
    <Notice variant={site.status === "verified" ? "good" : undefined}>{outcomeOf(site)}</Notice>
  );
  request.show(dashboardPage({ section: "sites", title: host, heading: <bdi>{host}</bdi>, message, body }));
}

type Coverage = AnswerOf<typeof getCoverage>;

/** Nothing for what is no host. */
async function coverageAt(
  services: WebsiteServices,
  request: SignedInRequest,
  input: { readonly host: string; readonly days: number },
): Promise<Coverage> {
  try {
    return await readOperation(services, request, getCoverage, input);
  } catch (thrown) {
    if (thrown instanceof Refusal && thrown.code === "invalid_request") return { hosts: [], has_more: false };
    throw thrown;
  }
}

function OverTime({ coverage, days }: { coverage: CoverageFacts; days: number }): VNode {
  return (
    <section class="panel">
      <h2>Over time</h2>
      <CoverageOverTime coverage={coverage} />
      <nav class="filters" aria-label="Days of the chart">
        {SPANS.map((span) => (
          <a
            key={span}
            href={sitePath(coverage.host, `days=${span}`)}
            aria-current={span === days ? "true" : undefined}
          >
            {formatCount(span, "day")}
          </a>
        ))}
      </nav>
    </section>
  );
}

interface VerificationProps {
  readonly request: SignedInRequest;
  readonly host: string;
  readonly site: Site | undefined;
}

function Verification({ request, host, site }: VerificationProps): VNode {
  return (
    <section class="panel">
      <h2>Verification</h2>
      {site ? (
        <SiteVerification request={request} site={site} />
      ) : (
        <Form request={request} action={PATHS.sites} hidden={{ host }}>
          <p>Bing and Yandex take URLs from the owner of the host only. Add it, to prove that it is yours.</p>
          <Button variant="quiet small">Add {host}</Button>
        </Form>
      )}
    </section>
  );
}

/** The connections to search engines that reach pages of the host, each with how it is. */
function Connections({ connections }: { connections: readonly HostConnection[] }): VNode {
  return (
    <section class="panel">
      <h2>Connections</h2>
      <ul class="steps">
        {connections.map(({ kind, property, failure }) => (
          <li key={kind + property}>
            <span class="url">{property}</span> of {SEARCH_SERVICES[kind]}
            <br />
            <span class={failure ? "problem" : "soft"}>{failure ? FAILURES[failure] : "Works"}</span>
          </li>
        ))}
      </ul>
      <p>
        {connections.length === 0 && "None. With one, checks say why Google does not have a page. "}
        <a href={PATHS.connections}>
          {connections.length === 0 ? "Connect Search Console or Bing" : "All connections"}
        </a>
      </p>
    </section>
  );
}

function Watches({ host, watches }: { host: string; watches: readonly Watch[] }): VNode {
  const address = `https://${host}/sitemap.xml`;
  return (
    <section class="panel">
      <h2>Watched sitemaps</h2>
      {watches.length === 0 && <p>None. New pages of this host are not submitted automatically.</p>}
      <ul class="steps">
        {watches.map((watch) => (
          <li key={watch.id}>
            <a class="url" href={`${PATHS.watches}/${watch.id}`}>
              {watch.sitemap_url}
            </a>
            <br />
            <span class="soft">
              {STATUS_WORDS[watch.status]}, read {INTERVAL_WORDS[watch.every]}, {formatCount(watch.pages, "page")},{" "}
              {formatNumber(watch.spent_this_month)} of {formatCount(watch.credits_per_month, "credit")} this month
            </span>
          </li>
        ))}
      </ul>
      <p>
        <a href={`${PATHS.watches}?${new URLSearchParams({ url: address })}#new`}>Watch a sitemap</a>
      </p>
    </section>
  );
}

function Visits({ visits }: { visits: readonly HostVisits[] }): VNode | null {
  if (visits.length === 0) return null;
  return (
    <section>
      <h2>Visits of crawlers</h2>
      <Table
        label="Visits of crawlers"
        rows={visits}
        columns={[
          { head: "Crawler", cell: ({ agent }) => agent },
          { head: "Verified", cell: ({ verified }) => (verified === "no" ? "no, it only claims to be" : "yes") },
          { head: "Pages", isNumber: true, cell: ({ pages }) => formatNumber(pages) },
          { head: "Visits", isNumber: true, cell: ({ count }) => formatNumber(count) },
          { head: "Last", cell: ({ lastAt }) => <Time at={lastAt} /> },
        ]}
      />
    </section>
  );
}

type Projects = Awaited<ReturnType<typeof alsoOf>>["projects"];

function Projects({ projects }: { projects: Projects }): VNode | null {
  if (projects.length === 0) return null;
  return (
    <section>
      <h2>Newest projects</h2>
      <Table
        label="Projects"
        rows={projects}
        columns={[
          {
            head: "Name",
            cell: ({ id, name }) => (
              <a class="name" href={`${PATHS.projects}/${id}`}>
                <bdi>{name}</bdi>
              </a>
            ),
          },
          { head: "URLs", isNumber: true, cell: ({ total }) => formatNumber(total) },
          { head: "Created", cell: ({ createdAt }) => <Day at={createdAt} /> },
        ]}
      />
    </section>
  );
}
