import type { VNode } from "preact";
import type listProjects from "../../../../tools/list-projects.ts";
import type { AnswerOf } from "../../../contract/operation.ts";
import { formatCount, formatNumber } from "../../../platform/format.ts";
import { DailyBars } from "../charts/daily-bars.tsx";
import { Item, ItemList } from "../components/item-list.tsx";
import { Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { PATHS } from "../shell/addresses.ts";
import { listAddress } from "../shell/list-query.ts";
import { spenderParameter } from "../spending/spender-filter.tsx";
import { type DayOfCalls, type DayOfSpending, type Spending, USAGE_DAYS } from "./domain.ts";

type Projects = AnswerOf<typeof listProjects>["projects"];

/** What a key, app or agent has done: calls, credits and projects. */
export interface CredentialUse {
  /** Of a key, or of any connection of an app or agent. */
  readonly credential: string;
  readonly calls: readonly DayOfCalls[];
  readonly days: readonly DayOfSpending[];
  readonly spending: Spending;
  /** Its newest. */
  readonly projects: Projects;
}

/** What it has spent and may still spend, by day and by project, and its calls. */
export function CredentialUseView({ credential, calls, days, spending, projects }: CredentialUse): VNode {
  return (
    <>
      <h2>Spending</h2>
      <SpendingTable spending={spending} />
      <SpentByDay days={days} />
      <h2>Its newest projects</h2>
      <NewestProjects projects={projects} />
      <p>
        <a href={listAddress(PATHS.projects, spenderParameter(credential))}>All its projects</a>,{" "}
        <a href={listAddress(PATHS.ledger, spenderParameter(credential))}>its credit history</a>
      </p>
      <h2>Calls in the last {USAGE_DAYS} days</h2>
      <CallsByDay days={calls} />
    </>
  );
}

/** Spent, allowed and left, in credits. */
export function SpendingTable({ spending: { limits, spent, remaining, resetsAt } }: { spending: Spending }): VNode {
  const rows = [
    { name: "Today", spent: spent.today, limit: limits.perDay, left: remaining.day, resets: resetsAt.day },
    {
      name: "This month",
      spent: spent.thisMonth,
      limit: limits.perMonth,
      left: remaining.month,
      resets: resetsAt.month,
    },
    { name: "In total", spent: spent.total, limit: limits.total, left: remaining.total, resets: null },
  ];
  const { perCall, approveAbove } = limits;
  return (
    <>
      <Table
        label="Spending"
        isNarrow
        rows={rows}
        columns={[
          { head: "Credits", cell: ({ name }) => name },
          { head: "Spent", isNumber: true, cell: ({ spent }) => formatNumber(spent) },
          { head: "Limit", isNumber: true, cell: ({ limit }) => (limit === null ? "none" : formatNumber(limit)) },
          { head: "Left", isNumber: true, cell: ({ left }) => (left === null ? "" : formatNumber(left)) },
        ]}
      />
      <p>
        {perCall === null ? "No limit for one call" : `At most ${formatCount(perCall, "credit")} in one call`}
        {approveAbove === null
          ? ", and nothing needs your approval."
          : `; a call above ${formatCount(approveAbove, "credit")} waits for your approval.`}{" "}
        The day ends at <Time at={resetsAt.day} />.
      </p>
    </>
  );
}

function SpentByDay({ days }: { days: readonly DayOfSpending[] }): VNode | null {
  const total = days.reduce((sum, { credits }) => sum + credits, 0);
  if (total === 0) return <p class="soft">It has spent nothing in the last {days.length} days.</p>;
  return (
    <>
      <DailyBars noun="credit" days={days.map(({ at, credits }) => ({ at, count: credits }))} />
      <p class="soft">
        {formatCount(total, "credit")} spent in the last {days.length} days, by UTC day.
      </p>
    </>
  );
}

function NewestProjects({ projects }: { projects: Projects }): VNode {
  if (projects.length === 0) return <p>It has made no project yet.</p>;
  return (
    <ItemList>
      {projects.map(({ id, name, credits_spent: spent, credits_returned: returned, created_at: createdAt }) => (
        <Item
          key={id}
          title={<a href={`${PATHS.projects}/${id}`}>{name}</a>}
          facts={[
            <>
              {formatCount(spent, "credit")} spent
              {returned > 0 && `, ${formatNumber(returned)} returned`}
            </>,
            <>
              Made <Time at={createdAt} />
            </>,
          ]}
        />
      ))}
    </ItemList>
  );
}

function CallsByDay({ days }: { days: readonly DayOfCalls[] }): VNode {
  const total = days.reduce((sum, { calls }) => sum + calls, 0);
  if (total === 0) return <p>None. Calls are counted by UTC day, and appear here within a minute.</p>;
  return (
    <>
      <DailyBars noun="call" days={days.map(({ at, calls }) => ({ at, count: calls }))} />
      <p class="soft">
        {formatCount(total, "call")}, refused ones included, by UTC day. A call appears here within a minute; if the
        service crashes, calls of the last minute may be missing.
      </p>
    </>
  );
}
