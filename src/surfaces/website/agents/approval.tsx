import type { VNode } from "preact";
import { balanceOf } from "../../../domain/ledger/ledger.ts";
import { recordSecurityEvent } from "../../../domain/security-log/security-log.ts";
import { type ApprovalRow, approvalOf, decideApproval, statusOf } from "../../../domain/spending/approvals.ts";
import { budgetOf } from "../../../domain/spending/budgets.ts";
import { type Spending, spendingOf } from "../../../domain/spending/read.ts";
import type { SpendingPurpose } from "../../../domain/spending/spend.ts";
import { taskWaitingFor } from "../../../domain/tasks/waiting.ts";
import { isRecent } from "../../../domain/users/sessions.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { formatCount, formatNumber } from "../../../platform/format.ts";
import { Button } from "../components/button.tsx";
import { Facts } from "../components/facts.tsx";
import { Form } from "../components/form.tsx";
import { Notice } from "../components/notice.tsx";
import { Time } from "../components/time.tsx";
import { UrlText } from "../components/url-text.tsx";
import { PATHS } from "../shell/addresses.ts";
import { dashboardPage, doneMessage } from "../shell/dashboard-page.tsx";
import {
  confirmIdentity,
  type SignedInPost,
  type SignedInRequest,
  type WebsiteServices,
} from "../shell/page-request.ts";
import { STATUS_WORDS } from "./approvals.tsx";
import { ConfirmFirst } from "./key-form.tsx";
import { SpendingTable } from "./spending-view.tsx";

const DONE = {
  yes: "You said yes. The same call goes through once, if it is made again within 24 hours.",
  task: "You said yes. The call is made now, once.",
  no: "You said no. Nothing was spent.",
};

/** `/dashboard/approvals/:id`: what a call would do, for whom, for how much, and what is left. Opening it decides nothing. */
export async function approvalPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  await showApproval(services, request);
}

/** `POST /dashboard/approvals/:id`: the decision, by somebody who has proved lately who they are. */
export async function decideApprovalPost(services: WebsiteServices, request: SignedInPost): Promise<void> {
  const id = request.param("id");
  const path = `${PATHS.approvals}/${id}`;
  if (!confirmIdentity(request, { formPage: path })) return;
  const decision = request.field("decision");
  if (decision !== "yes" && decision !== "no") throw new Refusal("invalid_request", "Choose Approve or Refuse.");
  const isApproved = decision === "yes";
  const { session, ip, now } = request;
  const { accountId } = session;
  const { outcome, done } = await request.sessionTx(async (tx) => {
    const approval = await approvalOf(tx, accountId, id);
    const outcome = await decideApproval(tx, accountId, { id, isApproved, now });
    const isMadeNow = isApproved && (await taskWaitingFor(tx, accountId, id)) !== null;
    if (outcome === "decided") {
      const kind = isApproved ? "approval_given" : "approval_refused";
      const subject = `${approval!.credentialName}: ${approval!.operation}, ${formatCount(approval!.credits, "credit")}`;
      await recordSecurityEvent(tx, { accountId, kind, subject, ip, now });
    }
    return { outcome, done: isMadeNow ? "task" : decision };
  });
  if (outcome === "unknown") throw noSuchApproval();
  if (outcome === "decided") return request.redirect(`${path}?done=${done}`);
  await showApproval(services, request, 409);
}

function noSuchApproval(): Refusal {
  return new Refusal("not_found", "Your account has no such call to approve.");
}

async function showApproval({ db }: WebsiteServices, request: SignedInRequest, status?: number): Promise<void> {
  const { session, now } = request;
  const { accountId } = session;
  const approval = await approvalOf(db, accountId, request.param("id"));
  if (!approval) throw noSuchApproval();
  const [balance, budget, task] = await Promise.all([
    balanceOf(db, accountId),
    budgetOf(db, { accountId, holder: approval.holder }),
    taskWaitingFor(db, accountId, approval.id),
  ]);
  const isMadeByTask = task !== null;
  const body = <ApprovalView {...{ request, approval, balance, spending: spendingOf(budget, now), isMadeByTask }} />;
  const over = <Notice variant="bad">It was decided before, or its time is over. Nothing was changed.</Notice>;
  const message = status === 409 ? over : doneMessage(request, DONE);
  const title = `Approve ${formatCount(approval.credits, "credit")}?`;
  request.show(dashboardPage({ section: "apps", title, message, body }), status);
}

interface ApprovalViewProps {
  readonly request: SignedInRequest;
  readonly approval: ApprovalRow;
  readonly balance: number;
  readonly spending: Spending;
  /** A task waits to make the call; else its caller has to make it again. */
  readonly isMadeByTask: boolean;
}

function ApprovalView({ request, approval, balance, spending, isMadeByTask }: ApprovalViewProps): VNode {
  const { credentialName, operation, credits, expiresAt, createdAt, projectId } = approval;
  const { name, description, urls } = JSON.parse(approval.about) as SpendingPurpose;
  const state = statusOf(approval, request.now);
  return (
    <>
      <p>
        <a href={PATHS.approvals}>All approvals</a>
      </p>
      <p>
        “<bdi>{credentialName}</bdi>” asks to spend <strong>{formatCount(credits, "credit")}</strong>. Your balance is{" "}
        {formatNumber(balance)}
        {state === "open" && `, and would be ${formatNumber(balance - credits)} then`}.
      </p>
      <Facts
        rows={[
          ["State", STATUS_WORDS[state]],
          ["Call", <code key="operation">{operation}</code>],
          ["Project", name],
          ["What", description],
          ["Asked", <Time key="asked" at={createdAt} />],
          [state === "approved" ? "To be used by" : "To be decided by", <Time key="end" at={expiresAt} />],
          ["Done", projectId && <a href={`${PATHS.projects}/${projectId}`}>The project that it made</a>],
        ]}
      />
      {state === "open" && <Decision {...{ request, approval, isMadeByTask }} />}
      <h2>{urls.length === 1 ? "The URL" : "The first URLs"}</h2>
      <ul>
        {urls.map((url) => (
          <li key={url}>
            <UrlText url={url} />
          </li>
        ))}
      </ul>
      <h2>What it has spent</h2>
      <SpendingTable spending={spending} />
    </>
  );
}

function Decision({
  request,
  approval: { id, credits },
  isMadeByTask,
}: Pick<ApprovalViewProps, "request" | "approval" | "isMadeByTask">): VNode {
  const path = `${PATHS.approvals}/${id}`;
  if (!isRecent(request.session, request.now))
    return (
      <p>
        Before you decide, <ConfirmFirst request={request} returnTo={path} />.
      </p>
    );
  return (
    <>
      <h2>Your decision</h2>
      <p>
        A yes is for this call alone, with just these URLs, and for at most {formatCount(credits, "credit")}.{" "}
        {isMadeByTask ? "The call is made at once." : "The call is made when its caller tries again."}
      </p>
      <Form request={request} action={path}>
        <p class="row">
          <Button name="decision" value="yes">
            Approve
          </Button>
          <Button name="decision" value="no" variant="quiet">
            Refuse
          </Button>
        </p>
      </Form>
    </>
  );
}
