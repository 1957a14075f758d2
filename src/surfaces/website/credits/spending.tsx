import type { VNode } from "preact";
import getSpendReport from "../../../../tools/get-spend-report.ts";
import type { AnswerOf } from "../../../contract/operation.ts";
import { formatCount, formatNumber } from "../../../platform/format.ts";
import { DailyBars } from "../charts/daily-bars.tsx";
import { Button } from "../components/button.tsx";
import { Form } from "../components/form.tsx";
import { Notice } from "../components/notice.tsx";
import { Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { keyPath, PATHS } from "../shell/addresses.ts";
import { readOperation } from "../shell/call-operation.ts";
import { dashboardPage, doneMessage } from "../shell/dashboard-page.tsx";
import { download } from "../shell/download.ts";
import { FieldOf, type FormFields, type Typed, typedIn } from "../shell/form-fields.tsx";
import {
  confirmIdentity,
  type SignedInPost,
  type SignedInRequest,
  type WebsiteServices,
} from "../shell/page-request.ts";
import { limitProblem } from "../spending/limit-fields.tsx";
import { MAX_LIMIT, parseLimit, setAccountBudget } from "./domain.ts";

type Report = AnswerOf<typeof getSpendReport>;

const DAYS = 30;

const FIELDS = {
  account_day: { kind: "line", label: "Limit per day", preset: "", maxLength: 10, isOptional: true },
  account_month: { kind: "line", label: "Limit per month", preset: "", maxLength: 10, isOptional: true },
} as const satisfies FormFields;

type TypedBudget = Typed<typeof FIELDS>;

const DONE = { saved: "Saved. It holds from the next call on." };

/** `/dashboard/spending`: who spent what, and what all keys, apps and agents together may spend. */
export async function spendingPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  await show(services, request, null);
}

/** `/dashboard/spending.csv`: the report as the API answers it. */
export function downloadSpending(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  return download(services, request, { operation: getSpendReport, form: "csv", input: {}, name: "spending" });
}

/** `POST /dashboard/spending`: sets the budget of the account. */
export async function spendingPost(services: WebsiteServices, post: SignedInPost): Promise<void> {
  if (!confirmIdentity(post, { formPage: PATHS.spending })) return;
  const typed = typedIn(FIELDS, post);
  const [perDay, perMonth] = [parseLimit(typed.account_day), parseLimit(typed.account_month)];
  if (perDay === undefined || perMonth === undefined) return show(services, post, typed);
  await setAccountBudget(post, { perDay, perMonth });
  post.redirect(`${PATHS.spending}?done=saved`);
}

/** @param refused what was typed and is no budget; null: nothing */
async function show(services: WebsiteServices, request: SignedInRequest, refused: TypedBudget | null): Promise<void> {
  const report = await readOperation(services, request, getSpendReport, { days: DAYS });
  const { account_day: day, account_month: month } = report.budget;
  const set = (limit: number | null) => (limit === null ? "" : String(limit));
  const typed = refused ?? { account_day: set(day.limit), account_month: set(month.limit) };
  const body = (
    <>
      <WhoSpentWhat report={report} />
      <h2>A limit for all of them</h2>
      <p>
        Today keys, apps and agents have spent {formatCount(day.spent, "credit")} together{leftOf(day.remaining)}, this
        month {formatNumber(month.spent)}
        {leftOf(month.remaining)}. The day ends at <Time at={Date.parse(day.resets_at)} />.
      </p>
      <Form request={request} action={PATHS.spending}>
        {refused && <Notice variant="bad">{limitProblem(MAX_LIMIT)}</Notice>}
        <fieldset class="limits">
          <legend>Keys, apps and agents together, in credits</legend>
          <p class="hint">
            It applies in addition to the limits of each of them. Leave a field empty for no limit. Days and months are
            in UTC. What you submit here yourself is neither limited nor counted.
          </p>
          <div class="grid">
            <FieldOf fields={FIELDS} name="account_day" typed={typed} />
            <FieldOf fields={FIELDS} name="account_month" typed={typed} />
          </div>
        </fieldset>
        <Button>Save the limit</Button>
      </Form>
    </>
  );
  const page = dashboardPage({ section: "spending", title: "Spending", message: doneMessage(request, DONE), body });
  request.show(page, refused ? 400 : 200);
}

function leftOf(remaining: number | null): string {
  return remaining === null ? "" : ` (${formatNumber(remaining)} left)`;
}

function WhoSpentWhat({ report }: { report: Report }): VNode {
  const { spent, returned, by_credential: spenders, by_day: days, by_project: projects } = report;
  if (spent === 0 && returned === 0) return <p>Nothing was spent in the last {DAYS} days.</p>;
  return (
    <>
      <p>
        Spent in the last {DAYS} days: <strong>{formatCount(spent, "credit")}</strong>. Came back:{" "}
        {formatNumber(returned)}. <a href={`${PATHS.spending}.csv`}>Download as CSV</a>
      </p>
      <DailyBars noun="credit" days={days.map(({ day, spent: count }) => ({ at: Date.parse(day), count }))} />
      <h2>By whom</h2>
      <Table
        label="Spent by whom"
        isNarrow
        rows={spenders}
        columns={[{ head: "Who", cell: (row) => <Who row={row} /> }, ...SUMS]}
      />
      <h2>By project</h2>
      <Table
        label="Spent by project"
        isNarrow
        rows={projects}
        columns={[
          {
            head: "Project",
            cell: ({ project_id: id, name }) => (
              <a class="name" href={`${PATHS.projects}/${id}`}>
                <bdi>{name}</bdi>
              </a>
            ),
          },
          ...SUMS,
        ]}
      />
    </>
  );
}

const SUMS = [
  { head: "Spent", isNumber: true, cell: ({ spent }: { spent: number }) => formatNumber(spent) },
  { head: "Came back", isNumber: true, cell: ({ returned }: { returned: number }) => formatNumber(returned) },
];

function Who({ row: { credential_id: id, kind, name } }: { row: Report["by_credential"][number] }): VNode {
  if (id === null || kind === "person" || kind === "operator") return <>{name}</>;
  return (
    <a class="name" href={kind === "key" ? keyPath(id) : `${PATHS.apps}/${id}`}>
      <bdi>{name}</bdi>
    </a>
  );
}
