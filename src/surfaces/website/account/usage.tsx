import type { VNode } from "preact";
import { formatNumber } from "../../../platform/format.ts";
import { LIMITS } from "../../../platform/limits.ts";
import { PATHS } from "../shell/addresses.ts";
import { dashboardPage } from "../shell/dashboard-page.tsx";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { usageToday } from "./domain.ts";

/** `/dashboard/usage`: what the account has used of its daily limits. */
export async function usagePage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const { requests, submissions } = await usageToday(services, request);
  const body = (
    <>
      <p>Days begin at midnight UTC. All keys, apps, agents and members of the account count together.</p>
      <h2>Today</h2>
      <Used name="Requests" about="over the API" used={requests} most={LIMITS.requests_per_day.count} />
      <Used
        name="Submissions"
        about="new projects and checks"
        used={submissions}
        most={LIMITS.submissions_per_day.count}
      />
      <h2>More limits</h2>
      <ul>
        <li>
          <a href={PATHS.spending}>Spending</a>: how many credits the account, its keys, apps and agents may spend.
        </li>
        <li>
          <a href="/docs/limits">All limits</a> of requests, lists and names.
        </li>
      </ul>
    </>
  );
  request.show(dashboardPage({ section: "usage", title: "Usage and limits", body }));
}

interface UsedProps {
  readonly name: string;
  readonly about: string;
  readonly used: number;
  readonly most: number;
}

function Used({ name, about, used, most }: UsedProps): VNode {
  return (
    <div class="meter">
      <p>
        <strong>{name}</strong> <span class="soft">{about}</span>
        <span class="number">
          {formatNumber(used)} of {formatNumber(most)}
        </span>
      </p>
      <progress value={used} max={most} aria-label={name} />
    </div>
  );
}
