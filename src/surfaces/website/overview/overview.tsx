import type { VNode } from "preact";
import getCoverage from "../../../../tools/get-coverage.ts";
import listProjects from "../../../../tools/list-projects.ts";
import { asSentence } from "../../../platform/text.ts";
import { Notice } from "../components/notice.tsx";
import { withShown } from "../projects/project-list.ts";
import { ProjectTable } from "../projects/project-table.tsx";
import { PATHS } from "../shell/addresses.ts";
import { readOperation } from "../shell/call-operation.ts";
import { dashboardPage, doneMessage } from "../shell/dashboard-page.tsx";
import { BuyLink, useIsSelling } from "../shell/deployment.tsx";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { COVERED_DAYS, Coverage } from "./coverage.tsx";
import { inboxOf, standingOf, sumOf } from "./domain.ts";
import { FirstSteps } from "./first-steps.tsx";
import { heldRunOf } from "./held-run.tsx";
import { INBOX_DONE, InboxView } from "./inbox.tsx";

const LATEST_PROJECTS = 5;
const HOSTS = 10;

/** `/dashboard`: what needs the reader, the account's pages in Google, and its latest projects. */
export async function overviewPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const [{ disabled, paid }, inbox, coverage, { projects }] = await Promise.all([
    standingOf(services, request),
    inboxOf(services, request),
    readOperation(services, request, getCoverage, { days: COVERED_DAYS, limit: HOSTS }),
    readOperation(services, request, listProjects, { limit: LATEST_PROJECTS, archived: "hide" }),
  ]);
  const heldRuns = await Promise.all(inbox.runs.map(({ id }) => heldRunOf(services, request, id)));
  const needs = sumOf(inbox.counts);
  const isNew = projects.length === 0 && coverage.hosts.length === 0;
  const body = (
    <>
      {disabled === null ? null : <DisabledNotice reason={disabled} />}
      {!paid && inbox.counts.credits === 0 && <NotPaidNotice />}
      {(needs > 0 || !isNew) && (
        <section aria-labelledby="inbox">
          <h2 id="inbox">What needs you</h2>
          {needs > 0 ? (
            <InboxView request={request} inbox={inbox} heldRuns={heldRuns} service={services.clock.service()} />
          ) : (
            <p class="soft">Nothing needs you now. Approvals, results and failures appear here.</p>
          )}
        </section>
      )}
      {coverage.hosts.length > 0 && <Coverage {...coverage} />}
      {isNew ? (
        <FirstSteps siteUrl={services.config.siteUrl} hasCredits={inbox.counts.credits > 0} />
      ) : (
        <LatestProjects projects={await withShown(services, request, projects)} />
      )}
    </>
  );
  const message = doneMessage(request, INBOX_DONE);
  request.show(dashboardPage({ section: "overview", title: "Overview", message, body }));
}

function DisabledNotice({ reason }: { reason: string }): VNode {
  return (
    <Notice variant="bad">
      The operator of this service has disabled your account: {asSentence(reason)} You can read everything. Nothing can
      be submitted or bought, and waiting URLs are not sent. <a href="/support">Ask the operator</a>.
    </Notice>
  );
}

function NotPaidNotice(): VNode {
  const isSelling = useIsSelling();
  return (
    <Notice>
      You have {isSelling ? "not bought" : "not been granted"} credits yet. To index or check URLs, and to create API
      keys, <BuyLink>buy your first pack of credits</BuyLink>.
    </Notice>
  );
}

function LatestProjects({ projects }: Parameters<typeof ProjectTable>[0]): VNode {
  return (
    <>
      <div class="heading-row">
        <h2>Latest projects</h2>
        <a class="button" href={PATHS.newProject}>
          New project
        </a>
      </div>
      <ProjectTable projects={projects} />
      <p>
        <a href={PATHS.projects}>All projects</a>
      </p>
    </>
  );
}
