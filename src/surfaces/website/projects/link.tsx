import type { VNode } from "preact";
import getLink from "../../../../tools/get-link.ts";
import getProject from "../../../../tools/get-project.ts";
import { formatCount } from "../../../platform/format.ts";
import { cut } from "../../../platform/text.ts";
import { Facts } from "../components/facts.tsx";
import { ServiceClock } from "../components/service-clock.tsx";
import { Time } from "../components/time.tsx";
import { ExternalLink, UrlText } from "../components/url-text.tsx";
import { PATHS } from "../shell/addresses.ts";
import { readOperation } from "../shell/call-operation.ts";
import { dashboardPage } from "../shell/dashboard-page.tsx";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { Meaning, NextStep } from "./advice-text.tsx";
import { evidenceAt } from "./domain.ts";
import { Access, BingCheck, Checks, Crawls, Engines, type Link, Visits, Warnings } from "./link-evidence.tsx";
import { resultSentence } from "./link-states.ts";

const TITLE_LENGTH = 80;
const SHOWN_AT_ONCE = 300;

/** `/dashboard/projects/:id/links/:linkId`: whether one URL is in Google, why not, and all its evidence, as get_link answers it. */
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
      <p class="result">
        <strong class={`state sentence state-${evidence.finding}`}>{resultSentence(evidence)}</strong>
      </p>
      <Looks link={link} />
      {link.advice && (
        <section class="panel">
          <h2>What to do</h2>
          <p>
            <NextStep advice={link.advice} />
          </p>
          <p>
            <Meaning advice={link.advice} />
          </p>
        </section>
      )}
      <Warnings link={link} />
      <Crawls link={link} />
      <Visits link={link} />
      <Access link={link} />
      <Checks link={link} evidence={evidence} />
      <BingCheck link={link} />
      <Engines link={link} />
      <h2>The URL and its credits</h2>
      <LinkFacts link={link} />
      <ServiceClock now={services.clock.service()} real={request.now} />
    </>
  );
  const address = link.url.replace(/^https?:\/\//, "");
  const heading = <UrlText url={address} most={TITLE_LENGTH} />;
  request.show(dashboardPage({ section: "projects", title: cut(address, TITLE_LENGTH), heading, body }));
}

/** When it was found, looked for and fetched. */
function Looks({ link }: { link: Link }): VNode {
  const { google, bing } = link.engines;
  return (
    <Facts
      rows={[
        ["Sent", link.credits === null ? null : <Time key="sent" at={link.sent_at} never="not sent" />],
        ["First found", <Time key="first-found" at={link.first_found_at} never="never found in Google" />],
        ["Last found", link.last_found_at === null ? null : <Time key="last-found" at={link.last_found_at} />],
        ["Last check", <Time key="last" at={link.checked_at} never="not checked yet" />],
        ["Next check", <Time key="next" at={link.next_check_at} never="none is planned" />],
        ["Fetched by Google", google.crawled_at === null ? null : <Time key="google" at={google.crawled_at} />],
        ["Fetched by Bing", bing.crawled_at === null ? null : <Time key="bing" at={bing.crawled_at} />],
      ]}
    />
  );
}

function LinkFacts({ link }: { link: Link }): VNode {
  const { url, credits, credits_returned: returned, status, error_code: code } = link;
  return (
    <Facts
      rows={[
        ["URL", <WholeUrl key="url" url={url} />],
        ["ID", <code key="id">{link.id}</code>],
        [
          "Status in the API",
          <>
            <code>{status}</code>
            {code !== null && (
              <>
                , <code>{code}</code>
              </>
            )}
          </>,
        ],
        ["Reason", link.error_message],
        [
          "Credits",
          credits === null
            ? "none of its own: a check is paid for ten URLs at a time"
            : `${credits} spent, ${returned ?? "returned together with the project's"}${returned === null ? "" : " returned"}`,
        ],
        ["Created", <Time key="created" at={link.created_at} />],
        ["Planned", credits === null ? null : <Time key="planned" at={link.scheduled_at} />],
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
