import type { VNode } from "preact";
import { CHECK_DAYS } from "../../../platform/check-days.ts";
import { formatCount, formatNumber } from "../../../platform/format.ts";
import { Button } from "../components/button.tsx";
import { Form } from "../components/form.tsx";
import { RelativeTime, relativeTime } from "../components/time.tsx";
import { PATHS } from "../shell/addresses.ts";
import { fromOverview } from "../shell/came-from.ts";
import { BuyLink } from "../shell/deployment.tsx";
import type { SignedInRequest } from "../shell/page-request.ts";
import { FAILURES } from "../sites/connections/words.ts";
import { type Inbox, type InboxKind, purposeOf } from "./domain.ts";
import { type HeldRun, HeldRunItem } from "./held-run.tsx";
import { InboxItem } from "./inbox-item.tsx";
import { RESULTS_PATH } from "./results.ts";

interface InboxProps {
  readonly request: SignedInRequest;
  readonly inbox: Inbox;
  readonly heldRuns: readonly HeldRun[];
  readonly service: number;
}

/** Where the rest of a kind is. */
const REST: Readonly<Record<InboxKind, { readonly noun: string; readonly path: string }>> = {
  approvals: { noun: "approval", path: PATHS.approvals },
  runs: { noun: "held run", path: PATHS.watches },
  connections: { noun: "connection", path: PATHS.connections },
  webhooks: { noun: "webhook", path: PATHS.webhooks },
  results: { noun: "result", path: PATHS.projects },
};

/** What waits for the reader, each with what to do about it. */
export function InboxView({ request, inbox, heldRuns, service }: InboxProps): VNode {
  const { counts, approvals, connections, webhooks, results } = inbox;
  const shown: Readonly<Record<InboxKind, readonly VNode[]>> = {
    approvals: approvals.map((one) => <Approval key={one.id} request={request} approval={one} />),
    runs: heldRuns.map((one) => <HeldRunItem key={one.watch.id} request={request} {...one} />),
    connections: connections.map((one) => <Connection key={one.id} connection={one} now={request.now} />),
    webhooks: webhooks.map((one) => <Webhook key={one.id} request={request} webhook={one} />),
    results: results.map((one) => <Result key={one.id} request={request} result={one} service={service} />),
  };
  const kinds = Object.keys(shown) as InboxKind[];
  return (
    <ul class="inbox">
      {counts.lowCredits && <LowCredits credits={counts.credits} />}
      {kinds.flatMap((kind) => [
        ...shown[kind],
        <Rest key={kind} kind={kind} left={counts[kind] - shown[kind].length} />,
      ])}
      {results.length > 1 && (
        <li class="rest">
          <Form request={request} action={RESULTS_PATH}>
            <Button variant="quiet small">Mark all results as seen</Button>
          </Form>
        </li>
      )}
    </ul>
  );
}

function Rest({ kind, left }: { kind: InboxKind; left: number }): VNode | null {
  if (left <= 0) return null;
  const { noun, path } = REST[kind];
  return (
    <li class="rest">
      <a href={path}>and {formatCount(left, `more ${noun}`)}</a>
    </li>
  );
}

function LowCredits({ credits }: { credits: number }): VNode {
  return (
    <InboxItem
      tone={credits < 0 ? "bad" : "warn"}
      kind="Credits"
      title={
        credits < 0
          ? `Your balance is ${formatCount(-credits, "credit")} below zero`
          : credits === 0
            ? "You have no credits left"
            : `Only ${formatCount(credits, "credit")} left`
      }
      action={<BuyLink>Buy a pack</BuyLink>}
    >
      {credits < 0 ? (
        <>
          A payment was refunded or disputed whose credits were spent already. Until the balance is zero or more, you
          cannot submit anything, and waiting URLs are not sent. See your <a href={PATHS.ledger}>credit history</a>.
        </>
      ) : (
        <>
          Without credits, nothing new is submitted. <a href={PATHS.notices}>Change when you are told</a>
        </>
      )}
    </InboxItem>
  );
}

function Approval({ request, approval }: { request: SignedInRequest; approval: Inbox["approvals"][number] }): VNode {
  const { id, credentialName, operation, credits, expiresAt } = approval;
  const { name, description, count, hosts } = purposeOf(approval);
  const what =
    count === 0 ? description : `${formatCount(count, "URL")} of ${hosts.map(({ host }) => host).join(", ")}`;
  return (
    <InboxItem
      tone="accent"
      kind="Approval"
      title={
        <a href={`${PATHS.approvals}/${id}`}>
          “<bdi>{credentialName}</bdi>” asks{" "}
          {credits > 0 ? `to spend ${formatCount(credits, "credit")}` : "for a call that needs your approval"}
        </a>
      }
      action={
        <Form request={request} action={`${PATHS.approvals}/${id}`} hidden={fromOverview()}>
          <Button variant="small" name="decision" value="yes">
            Approve
          </Button>
          <Button variant="quiet small" name="decision" value="no">
            Refuse
          </Button>
        </Form>
      }
    >
      <code>{operation}</code> {what}
      {name && (
        <>
          , <bdi>{name}</bdi>
        </>
      )}
      . Ends <RelativeTime at={expiresAt} now={request.now} due="now" />.
    </InboxItem>
  );
}

const ENGINES: Readonly<Record<string, string>> = {
  search_console: "Search Console",
  bing_webmaster: "Bing Webmaster",
};

function Connection({
  connection: { kind, name, since, failure },
  now,
}: {
  connection: Inbox["connections"][number];
  now: number;
}) {
  return (
    <InboxItem
      tone="bad"
      kind="Connection"
      title={`${ENGINES[kind] ?? kind} gives no access`}
      action={
        <a class="button quiet small" href={PATHS.connections}>
          Connect again
        </a>
      }
    >
      <bdi>{name}</bdi>, <Ago at={since!} now={now} />. {FAILURES[failure!]}
    </InboxItem>
  );
}

/** How long ago something was; the time itself appears as a tooltip. */
function Ago({ at, now }: { at: number; now: number }): VNode {
  return <RelativeTime at={at} now={now} due={relativeTime(at, now)} />;
}

function Webhook({
  request,
  webhook: { id, url, status, failingSince },
}: {
  request: SignedInRequest;
  webhook: Inbox["webhooks"][number];
}) {
  const isOff = status === "disabled";
  const path = `${PATHS.webhooks}/${id}`;
  return (
    <InboxItem
      tone="bad"
      kind="Webhook"
      title={
        <a href={path}>
          {new URL(url).host} {isOff ? "is sent nothing any more" : "does not take our messages"}
        </a>
      }
      action={
        <Form
          request={request}
          action={`${path}/status`}
          hidden={{ ...fromOverview(), status: isOff ? "active" : "paused" }}
        >
          <Button variant="quiet small">{isOff ? "Make it active" : "Pause"}</Button>
        </Form>
      }
    >
      {isOff ? (
        "It failed for five days, answered that it is gone, or was made by a key that has ended."
      ) : (
        <>
          It failed first <Ago at={failingSince!} now={request.now} />, and always since. Each message is tried again.
        </>
      )}
    </InboxItem>
  );
}

function Result({
  request,
  result,
  service,
}: {
  request: SignedInRequest;
  result: Inbox["results"][number];
  service: number;
}) {
  const { id, name, total, inGoogle, returned, isFinal, at } = result;
  return (
    <InboxItem
      tone="good"
      kind={`Day ${isFinal ? CHECK_DAYS.final : CHECK_DAYS.first}`}
      title={
        <a href={`${PATHS.projects}/${id}`}>
          <bdi>{name}</bdi>: {formatNumber(inGoogle)} of {formatNumber(total)} in Google
        </a>
      }
      action={
        <Form request={request} action={`${RESULTS_PATH}/${id}`}>
          <Button variant="quiet small">Seen</Button>
        </Form>
      }
    >
      <Ago at={at} now={service} />.{" "}
      {!isFinal
        ? inGoogle < total && `The others are looked for until day ${CHECK_DAYS.final}.`
        : returned > 0 && `${formatCount(returned, "credit")} returned.`}
    </InboxItem>
  );
}

/** What the overview says after something was done from its inbox, by the query parameter `done`. */
export const INBOX_DONE = {
  yes: "Approved. The same call goes through once, if it is made again within 24 hours.",
  task: "Approved. The call is made now, once.",
  no: "Refused. Nothing was spent.",
  released: "The watch continues.",
  changed: "The sitemap was not as this page had shown it. Nothing was done: look at what it lists now.",
  active: "The webhook is active. What waited is sent now.",
  paused: "The webhook is paused.",
};
