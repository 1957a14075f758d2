import type { VNode } from "preact";
import { activeKeyIds } from "../../../domain/credentials/keys.ts";
import { balanceOf } from "../../../domain/ledger/ledger.ts";
import { usageOf } from "../../../domain/limits/day.ts";
import { connectionsOf } from "../../../domain/oauth/connections.ts";
import { isPaid } from "../../../domain/payments/orders/orders.ts";
import { projectsOf } from "../../../domain/projects/list-projects.ts";
import type { ProjectRow } from "../../../domain/projects/read.ts";
import { creditsWaiting } from "../../../domain/projects/waiting.ts";
import { formatCount, formatNumber } from "../../../platform/format.ts";
import { LIMITS } from "../../../platform/limits.ts";
import { Card, Cards } from "../components/card.tsx";
import { Notice } from "../components/notice.tsx";
import { ProjectTable } from "../projects/project-table.tsx";
import { PATHS } from "../shell/addresses.ts";
import { dashboardPage } from "../shell/dashboard-page.tsx";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { FirstSteps } from "./first-steps.tsx";

const LATEST_PROJECTS = 5;

/** `/dashboard`: the balance, the usage, the latest projects and what is connected. */
export async function overviewPage({ db, config }: WebsiteServices, request: SignedInRequest): Promise<void> {
  const { accountId } = request.session;
  const [credits, waiting, usage, paid, keys, connections, { rows: projects }] = await Promise.all([
    balanceOf(db, accountId),
    creditsWaiting(db, accountId),
    usageOf(db, accountId, request.now),
    isPaid(db, accountId),
    activeKeyIds(db, accountId, request.now),
    connectionsOf(db, accountId, request.now),
    projectsOf(db, accountId, { kind: "all", status: "any", limit: LATEST_PROJECTS, offset: 0 }),
  ]);
  const apps = connections.filter(({ kind }) => kind === "oauth").length;
  const body = (
    <>
      <BalanceNotice paid={paid} credits={credits} />
      <Cards>
        <Card
          value={formatNumber(credits)}
          links={
            paid && (
              <>
                <a href={PATHS.buy}>Buy credits</a>
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
          value={formatNumber(keys.length + connections.length)}
          links={
            <>
              <a href={PATHS.keys}>{formatCount(keys.length, "API key")}</a>
              <a href={PATHS.apps}>
                {formatCount(apps, "app")} and {formatCount(connections.length - apps, "agent")}
              </a>
            </>
          }
        >
          connected
        </Card>
      </Cards>
      <p class="soft">A submission is a new project or check. Days begin at midnight UTC.</p>
      {projects.length === 0 ? (
        <FirstSteps siteUrl={config.siteUrl} hasCredits={credits > 0} />
      ) : (
        <LatestProjects projects={projects} />
      )}
    </>
  );
  request.show(dashboardPage({ section: "overview", title: "Overview", body }));
}

function BalanceNotice({ paid, credits }: { paid: boolean; credits: number }): VNode | null {
  if (credits < 0)
    return (
      <Notice variant="bad">
        Your balance is {formatCount(-credits, "credit")} below zero: a payment was refunded or disputed whose credits
        were spent already. See your <a href={PATHS.ledger}>credit history</a>. Until the balance is zero or more, you
        cannot submit anything, and waiting URLs are not sent. <a href={PATHS.buy}>Buy a pack</a>, and they are sent
        automatically.
      </Notice>
    );
  if (!paid)
    return (
      <Notice>
        You have not bought credits yet. To index or check URLs, and to create API keys,{" "}
        <a href={PATHS.buy}>buy your first pack of credits</a>.
      </Notice>
    );
  if (credits > 0) return null;
  return (
    <Notice>
      You have no credits left. <a href={PATHS.buy}>Buy a pack</a> to submit more.
    </Notice>
  );
}

function LatestProjects({ projects }: { projects: readonly ProjectRow[] }): VNode {
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
