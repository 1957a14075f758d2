import type { VNode } from "preact";
import { Refusal } from "../../../platform/errors/errors.ts";
import { formatCount, formatNumber } from "../../../platform/format.ts";
import { Button } from "../components/button.tsx";
import { Facts } from "../components/facts.tsx";
import { Form } from "../components/form.tsx";
import { Notice } from "../components/notice.tsx";
import { Time } from "../components/time.tsx";
import { UrlText } from "../components/url-text.tsx";
import { PATHS } from "../shell/addresses.ts";
import { cameFrom } from "../shell/came-from.ts";
import { dashboardPage, doneMessage } from "../shell/dashboard-page.tsx";
import {
  confirmIdentity,
  isIdentityFresh,
  type SignedInPost,
  type SignedInRequest,
  type WebsiteServices,
} from "../shell/page-request.ts";
import { STATUS_WORDS } from "./approvals.tsx";
import {
  type ApprovalRow,
  approvalWithId,
  decide,
  purposeOf,
  type Spending,
  type SpendingPurpose,
  statusOf,
} from "./domain.ts";
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
  const from = cameFrom(request, path);
  if (!confirmIdentity(request, { formPage: from })) return;
  const decision = request.field("decision");
  if (decision !== "yes" && decision !== "no") throw new Refusal("invalid_request", "Choose Approve or Refuse.");
  const { outcome, isMadeNow } = await decide(request, id, decision === "yes");
  if (outcome === "unknown") throw noSuchApproval();
  if (outcome === "decided") return request.redirect(`${from}?done=${isMadeNow ? "task" : decision}`);
  await showApproval(services, request, 409);
}

function noSuchApproval(): Refusal {
  return new Refusal("not_found", "Your account has no such call to approve.");
}

async function showApproval(services: WebsiteServices, request: SignedInRequest, status?: number): Promise<void> {
  const shown = await approvalWithId(services, request, request.param("id"));
  if (!shown) throw noSuchApproval();
  const body = <ApprovalView request={request} {...shown} />;
  const over = <Notice variant="bad">It was decided before, or its time is over. Nothing was changed.</Notice>;
  const message = status === 409 ? over : doneMessage(request, DONE);
  const { credits } = shown.approval;
  const title = credits > 0 ? `Approve ${formatCount(credits, "credit")}?` : "Approve a call?";
  request.show(dashboardPage({ section: "approvals", title, message, body }), status);
}

interface ApprovalViewProps {
  readonly request: SignedInRequest;
  readonly approval: ApprovalRow;
  /** For whom the caller acts. */
  readonly askedFor: string | null;
  readonly decidedBy: string | null;
  readonly balance: number;
  readonly spending: Spending;
  /** Whether a task waits to make the call. Otherwise the caller has to repeat it. */
  readonly isMadeByTask: boolean;
}

function ApprovalView({ request, approval, balance, spending, isMadeByTask, ...people }: ApprovalViewProps): VNode {
  const { credentialName, operation, credits, expiresAt, createdAt, projectId } = approval;
  const { name, description, sitemap, count, urls } = purposeOf(approval);
  const state = statusOf(approval, request.now);
  return (
    <>
      <p>
        <a href={PATHS.approvals}>All approvals</a>
      </p>
      {credits > 0 ? (
        <p>
          “<bdi>{credentialName}</bdi>” asks to spend <strong>{formatCount(credits, "credit")}</strong>. Your balance is{" "}
          {formatNumber(balance)}
          {state === "open" && `, and would be ${formatNumber(balance - credits)} then`}.
        </p>
      ) : (
        <p>
          “<bdi>{credentialName}</bdi>” asks to make a call that costs nothing, and that always needs your approval.
        </p>
      )}
      <Facts
        rows={[
          ["State", STATUS_WORDS[state]],
          ["Call", <code key="operation">{operation}</code>],
          [credits > 0 ? "Project" : "Name", name],
          ["What", description],
          ["Sitemap", sitemap && <UrlText key="sitemap" url={sitemap} />],
          ["Hosts", count > 0 ? <Hosts key="hosts" {...purposeOf(approval)} /> : null],
          ["Asked", <Time key="asked" at={createdAt} />],
          ["Asked for", people.askedFor],
          ["Decided by", people.decidedBy],
          [state === "approved" ? "To be used by" : "Decide by", <Time key="end" at={expiresAt} />],
          ["Done", projectId && <a href={`${PATHS.projects}/${projectId}`}>The project that it made</a>],
        ]}
      />
      {state === "open" && <Decision {...{ request, approval, isMadeByTask }} />}
      {count > 0 && <Urls urls={urls} count={count} />}
      <h2>What it has spent</h2>
      <SpendingTable spending={spending} />
    </>
  );
}

function Urls({ urls, count }: Pick<SpendingPurpose, "urls" | "count">): VNode {
  return (
    <>
      <h2>
        {urls.length === count
          ? `The ${count === 1 ? "URL" : formatCount(count, "URL")}`
          : `The first ${urls.length} of ${formatCount(count, "URL")}`}
      </h2>
      <ul>
        {urls.map((url) => (
          <li key={url}>
            <UrlText url={url} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** The hosts that have the most of its URLs, and how many each has. */
function Hosts({ hosts, otherHosts }: Pick<SpendingPurpose, "hosts" | "otherHosts">): VNode {
  const named = hosts.map(({ host, urls }) => `${host} (${formatNumber(urls)})`).join(", ");
  return <>{otherHosts > 0 ? `${named} and ${formatCount(otherHosts, "other host")}` : named}</>;
}

function Decision({
  request,
  approval: { id, credits },
  isMadeByTask,
}: Pick<ApprovalViewProps, "request" | "approval" | "isMadeByTask">): VNode {
  const path = `${PATHS.approvals}/${id}`;
  if (!isIdentityFresh(request))
    return (
      <p>
        Before you decide, <ConfirmFirst request={request} returnTo={path} />.
      </p>
    );
  return (
    <>
      <h2>Your decision</h2>
      <p>
        {credits > 0
          ? `Your approval is for this call alone, with just these URLs, and for at most ${formatCount(credits, "credit")}.`
          : "Your approval is for this call alone."}{" "}
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
