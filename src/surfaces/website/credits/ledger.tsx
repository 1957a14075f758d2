import type { VNode } from "preact";
import listLedger from "../../../../tools/list-ledger.ts";
import type { AnswerOf } from "../../../contract/operation.ts";
import { formatCount, formatNumber } from "../../../platform/format.ts";
import { Notice } from "../components/notice.tsx";
import { Paged, requestedPage } from "../components/pagination.tsx";
import { RealClock } from "../components/service-clock.tsx";
import { Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { PATHS } from "../shell/addresses.ts";
import { readOperation } from "../shell/call-operation.ts";
import { dashboardPage } from "../shell/dashboard-page.tsx";
import { BuyLink } from "../shell/deployment.tsx";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { spenderQuery } from "../spending/domain.ts";
import { SpenderFilter, spenderParameter } from "../spending/spender-filter.tsx";
import { balanceNow, namesOf } from "./domain.ts";
import { signed } from "./signed.ts";

const PER_PAGE = 50;

type Entry = AnswerOf<typeof listLedger>["entries"][number];

/** `/dashboard/ledger`: every change of the balance, newest first, or only the changes by one key, app or agent. */
export async function ledgerPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const { number, ...page } = requestedPage(request, PER_PAGE);
  const spender = await spenderQuery(services.db, request);
  const { chosen, problem } = spender;
  const [balance, { entries, has_more: hasMore }] = await Promise.all([
    balanceNow(services, request),
    readOperation(services, request, listLedger, { ...page, ...spenderParameter(chosen) }),
  ]);
  const names = await namesOf(
    services,
    entries.flatMap(({ project_id }) => project_id ?? []),
  );
  const body = (
    <>
      <p>Your balance is {formatCount(balance, "credit")}: the sum of all entries.</p>
      {problem && <Notice variant="bad">{problem}</Notice>}
      <SpenderFilter query={spender} action={PATHS.ledger} />
      <Paged
        noun="entries"
        isEmpty={entries.length === 0}
        path={PATHS.ledger}
        query={spenderParameter(chosen)}
        number={number}
        hasMore={hasMore}
        empty={<NoEntries isFiltered={chosen !== ""} />}
      >
        <RealClock now={services.clock.service()} real={request.now} />
        <LedgerTable entries={entries} names={names} />
      </Paged>
    </>
  );
  request.show(dashboardPage({ section: "ledger", title: "Credit history", body }));
}

function NoEntries({ isFiltered }: { isFiltered: boolean }): VNode {
  if (isFiltered)
    return (
      <>
        It has changed nothing. <a href={PATHS.ledger}>Show all entries</a>
      </>
    );
  return (
    <>
      Nothing here yet. <BuyLink>Buy a pack of credits</BuyLink>, and every change of your balance is listed here.
    </>
  );
}

/** The names of projects by their ids. */
type Names = ReadonlyMap<string, string>;

function LedgerTable({ entries, names }: { entries: readonly Entry[]; names: Names }): VNode {
  return (
    <Table
      label="Credit history"
      rows={entries}
      columns={[
        { head: "Entry", cell: (entry) => <Cause entry={entry} names={names} /> },
        { head: "Credits", isNumber: true, cell: ({ credits }) => signed(credits) },
        { head: "Balance", isNumber: true, cell: (entry) => formatNumber(entry.balance_after) },
        { head: "Time", cell: ({ at }) => <Time at={at} /> },
      ]}
    />
  );
}

function Cause({ entry, names }: { entry: Entry; names: Names }): VNode {
  const { kind, description, project_id: projectId, order_id: orderId } = entry;
  return (
    <div class="name">
      {KINDS[kind]}
      {projectId !== null && (
        <>
          {": "}
          <a href={`${PATHS.projects}/${projectId}`}>{names.get(projectId) ?? "a project"}</a>
        </>
      )}
      {orderId !== null && (
        <>
          {", "}
          <a href={`${PATHS.orders}/${orderId}`}>order</a>
        </>
      )}
      <br />
      <span class="soft">{description}</span>
    </div>
  );
}

const KINDS = {
  purchase: "Credits bought",
  spend: "Credits spent",
  return: "Credits returned",
  adjustment: "Adjustment",
} as const;
