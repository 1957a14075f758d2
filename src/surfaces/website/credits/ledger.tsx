import type { VNode } from "preact";
import { balanceOf, entriesOf } from "../../../domain/ledger/ledger.ts";
import { projectNames } from "../../../domain/projects/spending.ts";
import { formatCount, formatNumber } from "../../../platform/format.ts";
import { Notice } from "../components/notice.tsx";
import { Paged, requestedPage } from "../components/pagination.tsx";
import { RealClock } from "../components/service-clock.tsx";
import { Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { PATHS } from "../shell/addresses.ts";
import { dashboardPage } from "../shell/dashboard-page.tsx";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { SpenderFilter, spenderParameter, spenderQuery } from "../spending/spender-filter.tsx";
import { CreditsNav } from "./credits-nav.tsx";
import { signed } from "./signed.ts";

const PER_PAGE = 50;

type Entry = Awaited<ReturnType<typeof entriesOf>>["rows"][number];

/** `/dashboard/ledger`: every change of the balance, newest first; or those of one key, app or agent. */
export async function ledgerPage({ db, clock }: WebsiteServices, request: SignedInRequest): Promise<void> {
  const { accountId } = request.session;
  const page = requestedPage(request, PER_PAGE);
  const spender = await spenderQuery(db, request);
  const { chosen, credentials, problem } = spender;
  const [balance, { rows, hasMore }] = await Promise.all([
    balanceOf(db, accountId),
    entriesOf(db, accountId, { ...page, credentials }),
  ]);
  const names = await projectNames(db, [...new Set(rows.flatMap(({ projectId }) => projectId ?? []))]);
  const body = (
    <>
      <CreditsNav current="ledger" />
      <p>Your balance is {formatCount(balance, "credit")}: the sum of all entries.</p>
      {problem && <Notice variant="bad">{problem}</Notice>}
      <SpenderFilter query={spender} action={PATHS.ledger} />
      <Paged
        noun="entries"
        isEmpty={rows.length === 0}
        path={PATHS.ledger}
        query={spenderParameter(chosen)}
        number={page.number}
        hasMore={hasMore}
        empty={<NoEntries isFiltered={chosen !== ""} />}
      >
        <RealClock now={clock.service()} real={request.now} />
        <LedgerTable entries={rows} names={names} />
      </Paged>
    </>
  );
  request.show(dashboardPage({ section: "credits", title: "Credit history", body }));
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
      Nothing here yet. <a href={PATHS.buy}>Buy a pack of credits</a>, and every change of your balance is listed here.
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
        { head: "Balance", isNumber: true, cell: ({ balanceAfter }) => formatNumber(balanceAfter) },
        { head: "Time", cell: ({ at }) => <Time at={at} /> },
      ]}
    />
  );
}

function Cause({ entry, names }: { entry: Entry; names: Names }): VNode {
  const { kind, description, projectId, orderId } = entry;
  return (
    <div class="name">
      {KINDS[kind] ?? kind}
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

const KINDS: Readonly<Record<string, string>> = {
  purchase: "Credits bought",
  spend: "Credits spent",
  return: "Credits returned",
  adjustment: "Adjustment",
};
