import type { VNode } from "preact";
import { DAY, SECOND } from "../../../platform/clock.ts";
import { formatCount, formatNumber } from "../../../platform/format.ts";
import { BalanceChart, type BalancePoint } from "../charts/balance.tsx";
import { Nothing } from "../components/nothing.tsx";
import { RealClock } from "../components/service-clock.tsx";
import { Table } from "../components/table.tsx";
import { Day } from "../components/time.tsx";
import { PATHS } from "../shell/addresses.ts";
import { dashboardPage } from "../shell/dashboard-page.tsx";
import { BuyLink } from "../shell/deployment.tsx";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { type BalanceChange, balanceNow, balanceSince, firstChangeAt, spendersOf, unsentNow } from "./domain.ts";
import { signed } from "./signed.ts";

/** The chart and its table show at most so many days. */
const DAYS = 90;
/** A line as wide as the page cannot show more points than this. */
const POINTS = 360;
/** The table shows the latest days that have entries. */
const TABLE_ROWS = 14;
const PROJECTS = 10;

/** `/dashboard/credits`: the balance over time, and which projects spent credits. */
export async function creditsPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const { now } = request;
  const [balance, firstAt, spenders, unsent] = await Promise.all([
    balanceNow(services, request),
    firstChangeAt(services, request),
    spendersOf(services, request, PROJECTS),
    unsentNow(services, request),
  ]);
  const from = Math.max(firstAt ?? now, now - DAYS * DAY);
  const width = Math.max(SECOND, Math.ceil((now - from) / POINTS));
  const midnight = from - (from % DAY);
  const [points, days] = await Promise.all([
    balanceSince(services, request, { from, width, balance }),
    balanceSince(services, request, { from: midnight, width: DAY, balance }),
  ]);
  const body = (
    <CreditsView
      {...{ balance, unsent, points: withStart(points, from), days, spenders, now, service: services.clock.service() }}
    />
  );
  request.show(dashboardPage({ section: "credits", title: "Credits", body }));
}

/** Adds the balance that was there before the first change, where the chart does not begin with that change. */
function withStart(changes: readonly BalanceChange[], from: number): BalancePoint[] {
  const [first] = changes;
  if (!first || first.at === from) return [...changes];
  const before = first.balance - first.bought - first.returned - first.adjusted + first.spent;
  return [{ at: from, balance: before }, ...changes];
}

interface CreditsViewProps {
  readonly balance: number;
  readonly unsent: Awaited<ReturnType<typeof unsentNow>>;
  readonly points: readonly BalancePoint[];
  readonly days: readonly BalanceChange[];
  readonly spenders: Awaited<ReturnType<typeof spendersOf>>;
  readonly now: number;
  /** Service time. */
  readonly service: number;
}

function CreditsView({ balance, unsent, points, days, spenders, now, service }: CreditsViewProps): VNode {
  return (
    <>
      <p>
        Your balance is <strong>{formatCount(balance, "credit")}</strong>. Credits do not expire.
      </p>
      {unsent.urls > 0 && (
        <p>
          {formatCount(unsent.credits, "credit")} of what you have spent {unsent.credits === 1 ? "is" : "are"} for{" "}
          {formatCount(unsent.urls, "URL")} not sent yet, and {unsent.credits === 1 ? "comes" : "come"} back if you
          cancel the project before they are.
        </p>
      )}
      {points.length === 0 ? (
        <p>
          Nothing here yet. <BuyLink>Buy a pack of credits</BuyLink>, and your balance is shown here over time.
        </p>
      ) : (
        <>
          <h2>Balance over time</h2>
          <RealClock now={service} real={now} />
          <BalanceChart points={points} to={now} description={descriptionOf(points, balance)} />
          <DayTable days={days} />
        </>
      )}
      {spenders.length > 0 && (
        <>
          <h2>Spent by project</h2>
          <SpenderTable spenders={spenders} />
        </>
      )}
    </>
  );
}

function descriptionOf(points: readonly BalancePoint[], balance: number): string {
  const balances = points.map((point) => point.balance);
  const [least, most] = [Math.min(...balances), Math.max(...balances)];
  return `Between ${formatNumber(least)} and ${formatCount(most, "credit")}; now ${formatNumber(balance)}.`;
}

function DayTable({ days }: { days: readonly BalanceChange[] }): VNode {
  const change = (credits: number) => (credits === 0 ? <Nothing /> : signed(credits));
  return (
    <Table
      label="Balance by day"
      rows={days.slice(-TABLE_ROWS).reverse()}
      columns={[
        { head: "Day", cell: ({ at }) => <Day at={at} isUtc /> },
        { head: "Bought", isNumber: true, cell: ({ bought }) => change(bought) },
        { head: "Spent", isNumber: true, cell: ({ spent }) => change(-spent) },
        { head: "Returned", isNumber: true, cell: ({ returned }) => change(returned) },
        { head: "Adjusted", isNumber: true, cell: ({ adjusted }) => change(adjusted) },
        { head: "Balance", isNumber: true, cell: (day) => formatNumber(day.balance) },
      ]}
    />
  );
}

function SpenderTable({ spenders }: Pick<CreditsViewProps, "spenders">): VNode {
  return (
    <Table
      label="Spent by project"
      rows={spenders}
      columns={[
        {
          head: "Project",
          cell: ({ id, name }) => (
            <a class="name" href={`${PATHS.projects}/${id}`}>
              {name}
            </a>
          ),
        },
        { head: "Spent", isNumber: true, cell: ({ spent }) => formatNumber(spent) },
        { head: "Returned so far", isNumber: true, cell: ({ returned }) => formatNumber(returned) },
        { head: "Kept so far", isNumber: true, cell: ({ spent, returned }) => formatNumber(spent - returned) },
      ]}
    />
  );
}
