import { activeKeyIds } from "../../../domain/accounts/keys.ts";
import { grantsOf } from "../../../domain/auth/grants.ts";
import { balanceOf } from "../../../domain/ledger/ledger.ts";
import { usageOf } from "../../../domain/limits/day.ts";
import { isPaid } from "../../../domain/payments/orders/orders.ts";
import { projectsOf } from "../../../domain/projects/list-projects.ts";
import { creditsWaiting } from "../../../domain/projects/waiting.ts";
import { formatCount, formatNumber } from "../../../platform/format.ts";
import { LIMITS } from "../../../platform/limits.ts";
import { notice } from "../form.ts";
import { type Html, html } from "../html.ts";
import type { SignedInRequest, WebsiteServices } from "../page-request.ts";
import { dashboardPage } from "./dashboard-page.tsx";
import { firstSteps } from "./first-steps.ts";
import { projectTable } from "./projects.ts";

const LATEST_PROJECTS = 5;

/** `/dashboard`: the balance, the usage, the latest projects and what is connected. */
export async function overviewPage({ db, config }: WebsiteServices, request: SignedInRequest): Promise<void> {
  const { accountId } = request.session;
  const [credits, waiting, usage, paid, keys, grants, { rows: projects }] = await Promise.all([
    balanceOf(db, accountId),
    creditsWaiting(db, accountId),
    usageOf(db, accountId, request.now),
    isPaid(db, accountId),
    activeKeyIds(db, accountId),
    grantsOf(db, accountId),
    projectsOf(db, accountId, { kind: "all", status: "any", limit: LATEST_PROJECTS, offset: 0 }),
  ]);
  const apps = grants.filter(({ kind }) => kind === "oauth").length;
  const body = html`${balanceNotice(paid, credits)}
<div class="cards">
${card(formatNumber(credits), credits === 1 ? "credit" : "credits")}
${waiting > 0 ? card(formatNumber(waiting), "credits spent on unsent URLs") : ""}
${card(formatNumber(usage.requests), `of ${formatNumber(LIMITS.requests_per_day.count)} requests today`)}
${card(formatNumber(usage.submissions), `of ${formatNumber(LIMITS.submissions_per_day.count)} submissions today`)}
</div>
<p class="soft">A submission is a new project or check. Days begin at midnight UTC.</p>
${projects.length === 0 ? firstSteps(config.siteUrl, credits > 0) : latestProjects(projects)}
${paid ? html`<p><a href="/dashboard/buy">Buy credits</a>, or see your <a href="/dashboard/ledger">credit history</a>.</p>\n` : ""}<h2>Connected</h2>
<ul>
<li><a href="/dashboard/keys">${formatCount(keys.length, "API key")}</a></li>
<li><a href="/dashboard/apps">${formatCount(apps, "app")} and ${formatCount(grants.length - apps, "agent")}</a></li>
</ul>`;
  request.show(dashboardPage({ section: "overview", title: "Overview", body }));
}

function balanceNotice(paid: boolean, credits: number): Html {
  if (credits < 0)
    return notice(
      html`Your balance is ${formatCount(-credits, "credit")} below zero: a payment was refunded or disputed whose credits
were spent already. See your <a href="/dashboard/ledger">credit history</a>. Until the balance is zero or more, you cannot
submit anything, and waiting URLs are not sent. <a href="/dashboard/buy">Buy a pack</a>, and they are sent automatically.`,
      "bad",
    );
  if (!paid)
    return notice(html`You have not bought credits yet. To index or check URLs, and to create API keys,
<a href="/dashboard/buy">buy your first pack of credits</a>.`);
  if (credits > 0) return html``;
  return notice(html`You have no credits left. <a href="/dashboard/buy">Buy a pack</a> to submit more.`);
}

function card(value: string, label: string): Html {
  return html`<div class="card"><strong>${value}</strong>
${label}</div>\n`;
}

function latestProjects(projects: Parameters<typeof projectTable>[0]): Html {
  return html`<h2>Latest projects</h2>
${projectTable(projects)}
<p><a href="/dashboard/projects">All projects</a></p>`;
}
