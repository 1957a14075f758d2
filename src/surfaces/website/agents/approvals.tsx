import type { VNode } from "preact";
import { formatNumber } from "../../../platform/format.ts";
import { Nothing } from "../components/nothing.tsx";
import { Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { PATHS } from "../shell/addresses.ts";
import { dashboardPage } from "../shell/dashboard-page.tsx";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { type ApprovalRow, listedApprovals, statusOf } from "./domain.ts";

/** How many approvals the page lists. At most ten of a credential wait. */
const LISTED = 100;

/** `/dashboard/approvals`: the calls that need, or needed, the yes of the account's person. */
export async function approvalsPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const listed = await listedApprovals(services, request, LISTED);
  const body = <ApprovalsView {...listed} now={request.now} />;
  request.show(dashboardPage({ section: "approvals", title: "Approvals", body }));
}

interface ApprovalsViewProps {
  readonly approvals: readonly ApprovalRow[];
  /** What its people are called; empty where the account has one member. */
  readonly people: ReadonlyMap<string, string>;
  readonly now: number;
}

function ApprovalsView({ approvals, people, now }: ApprovalsViewProps): VNode {
  const person = (id: string | null) => people.get(id ?? "") ?? <Nothing />;
  if (approvals.length === 0)
    return (
      <p>
        Nothing here yet. A call that costs more than its key, app or agent may spend without your approval waits here.
      </p>
    );
  return (
    <Table
      label="Approvals"
      rows={approvals}
      columns={[
        {
          head: "Call",
          cell: ({ id, credentialName, operation }) => (
            <div class="name">
              <a href={`${PATHS.approvals}/${id}`}>{credentialName}</a>
              <br />
              <span class="soft">{operation}</span>
            </div>
          ),
        },
        { head: "Credits", isNumber: true, cell: ({ credits }) => formatNumber(credits) },
        { head: "State", cell: (approval) => STATUS_WORDS[statusOf(approval, now)] },
        ...(people.size > 0
          ? [
              { head: "For", cell: ({ personId }: ApprovalRow) => person(personId) },
              { head: "Decided by", cell: ({ decidedBy }: ApprovalRow) => person(decidedBy) },
            ]
          : []),
        { head: "Asked", cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  );
}

export const STATUS_WORDS = {
  open: "Waits for you",
  approved: "Approved, not used yet",
  refused: "Refused",
  used: "Approved and done",
  withdrawn: "Withdrawn by its caller",
  replaced: "Replaced: the call would do something else by now",
  ended: "Withdrawn: its caller was disconnected",
  expired: "Expired",
} as const;
