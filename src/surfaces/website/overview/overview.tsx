import type { VNode } from "preact";
import listProjects from "../../../../tools/list-projects.ts";
import { formatCount, formatNumber } from "../../../platform/format.ts";
import { LIMITS } from "../../../platform/limits.ts";
import { Card, Cards } from "../components/card.tsx";
import { Notice } from "../components/notice.tsx";
import { ProjectTable } from "../projects/project-table.tsx";
import { PATHS } from "../shell/addresses.ts";
import { readOperation } from "../shell/call-operation.ts";
import { dashboardPage } from "../shell/dashboard-page.tsx";
import { BuyLink, useIsSelling } from "../shell/deployment.tsx";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { FirstSteps } from "./first-steps.tsx";
import { figuresOf } from "./reading.ts";

const LATEST_PROJECTS = 5;

/** `/dashboard`: the balance, the usage, the latest projects and what is connected. */
export async function overviewPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const [figures, { projects }] = await Promise.all([
    figuresOf(services, request),
    readOperation(services, request, listProjects, { limit: LATEST_PROJECTS }),
  ]);
  const { disabled, credits, waiting, usage, paid, keys, apps, agents } = figures;
  const body = (
    <>
      {disabled === null ? null : <DisabledNotice reason={disabled} />}
      <BalanceNotice paid={paid} credits={credits} />
      <Cards>
        <Card
          value={formatNumber(credits)}
          links={
            paid && (
              <>
                <BuyLink>Buy credits</BuyLink>
                <a href={PATHS.ledger}>History</a>
              </>
            )
          }
        >
          {credits === 1 ? "credit" : "credits"}
        </Card>
        {waiting > 0 && <Card value={formatNumber(waiting)}>credits spent on unsent URLs</Card>}
        <Card value={formatNumber(usage.submissions)}>
          of {formatNumber(LIMITS.submissions_per_day.count)} submissions today
        </Card>
        <Card value={formatNumber(usage.requests)}>
          of {formatNumber(LIMITS.requests_per_day.count)} requests today
        </Card>
        <Card
          value={formatNumber(keys + apps + agents)}
          links={
            <>
              <a href={PATHS.keys}>{formatCount(keys, "API key")}</a>
              <a href={PATHS.apps}>
                {formatCount(apps, "app")} and {formatCount(agents, "agent")}
              </a>
            </>
          }
        >
          connected
        </Card>
      </Cards>
      <p class="soft">A submission is a new project or check. Days begin at midnight UTC.</p>
      {projects.length === 0 ? (
        <FirstSteps siteUrl={services.config.siteUrl} hasCredits={credits > 0} />
      ) : (
        <LatestProjects projects={projects} />
      )}
    </>
  );
  request.show(dashboardPage({ section: "overview", title: "Overview", body }));
}

function DisabledNotice({ reason }: { reason: string }): VNode {
  return (
    <Notice variant="bad">
      The operator of this service has disabled your account: {reason} You can read everything. Nothing can be submitted
      or bought, and waiting URLs are not sent. <a href="/support">Ask the operator</a>.
    </Notice>
  );
}

function BalanceNotice({ paid, credits }: { paid: boolean; credits: number }): VNode | null {
  const isSelling = useIsSelling();
  if (credits < 0)
    return (
      <Notice variant="bad">
        Your balance is {formatCount(-credits, "credit")} below zero: a payment was refunded or disputed whose credits
        were spent already. See your <a href={PATHS.ledger}>credit history</a>. Until the balance is zero or more, you
        cannot submit anything, and waiting URLs are not sent. <BuyLink>Buy a pack</BuyLink>, and they are sent
        automatically.
      </Notice>
    );
  if (!paid)
    return (
      <Notice>
        You have {isSelling ? "not bought" : "not been granted"} credits yet. To index or check URLs, and to create API
        keys, <BuyLink>buy your first pack of credits</BuyLink>.
      </Notice>
    );
  if (credits > 0) return null;
  return (
    <Notice>
      You have no credits left. <BuyLink>Buy a pack</BuyLink> to submit more.
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
