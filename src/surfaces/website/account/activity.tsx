import type { VNode } from "preact";
import listActivity from "../../../../tools/list-activity.ts";
import type { AnswerOf } from "../../../contract/operation.ts";
import { Nothing } from "../components/nothing.tsx";
import { Pagination, requestedPage } from "../components/pagination.tsx";
import { Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { ACCOUNT_PATHS } from "../shell/addresses.ts";
import { readOperation } from "../shell/call-operation.ts";
import { dashboardPage } from "../shell/dashboard-page.tsx";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";

const PER_PAGE = 50;

type Row = AnswerOf<typeof listActivity>["activity"][number];

/** `/dashboard/activity`: who has changed what in the account. */
export async function activityPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const page = requestedPage(request, PER_PAGE);
  const { number, ...wanted } = page;
  const { activity, has_more: hasMore } = await readOperation(services, request, listActivity, wanted);
  const body = (
    <>
      <p>Everything that was changed in the account in the last 400 days, and who did it.</p>
      <ActivityTable rows={activity} request={request} />
      <Pagination path={ACCOUNT_PATHS.activity} number={number} hasMore={hasMore} />
    </>
  );
  request.show(dashboardPage({ section: "activity", title: "Activity", body }));
}

function ActivityTable({ rows, request }: { rows: readonly Row[]; request: SignedInRequest }): VNode {
  if (rows.length === 0) return <p>Nothing here yet.</p>;
  return (
    <Table
      label="Activity"
      rows={rows}
      columns={[
        { head: "What", cell: ({ text, subject }) => <What text={text} subject={subject} /> },
        { head: "Who", cell: (row) => <Who row={row} personId={request.session.personId} /> },
        { head: "Time", cell: ({ at }) => <Time at={Date.parse(at)} /> },
      ]}
    />
  );
}

/** What was changed, and its name. */
export function What({ text, subject }: Pick<Row, "text" | "subject">): VNode {
  return (
    <div class="name">
      {text}
      {subject !== null && (
        <>
          <br />
          <span class="soft">{subject}</span>
        </>
      )}
    </div>
  );
}

/** The credential, and the person for whom it acts. */
function Who({ row: { person_id, role, email, credential }, personId }: { row: Row; personId: string }): VNode {
  if (person_id === null && credential === null) return <Nothing />;
  const person = person_id === personId ? "you" : (email ?? (role === null ? "nobody who is known" : `the ${role}`));
  if (credential === null) return <>{person}</>;
  return (
    <div class="name">
      <bdi>{credential.name ?? credential.id}</bdi>
      <br />
      <span class="soft">for {person}</span>
    </div>
  );
}
