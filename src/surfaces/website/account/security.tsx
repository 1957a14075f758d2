import type { ComponentChildren, VNode } from "preact";
import { Nothing } from "../components/nothing.tsx";
import { Pagination, requestedPage } from "../components/pagination.tsx";
import { Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { ACCOUNT_PATHS, PATHS } from "../shell/addresses.ts";
import { dashboardPage, doneMessage } from "../shell/dashboard-page.tsx";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { FACTORS_DONE, FactorsSection, type FactorsState, factorsState } from "../sign-in/factors/section.tsx";
import { ISSUER_DONE, IssuerSection, type IssuerState, issuerState } from "../sign-in/issuer/connection.tsx";
import { What } from "./activity.tsx";
import { eventName, type Session, securityLog, sessionsNow, subjectOf } from "./domain.ts";
import { PasswordForm } from "./password-form.tsx";
import { SessionList } from "./sessions.tsx";

const PER_PAGE = 50;

type SecurityLog = Awaited<ReturnType<typeof securityLog>>;

type Shown = [Session[], SecurityLog, FactorsState, IssuerState | null];

const DONE = {
  ended: "That browser is signed out.",
  ended_others: "All other browsers are signed out.",
  ...FACTORS_DONE,
  ...ISSUER_DONE,
  changed: "Your password was changed. All other browsers are signed out.",
};

/** `/dashboard/security`: the sessions, the password and the other ways to sign in, and the security log. */
export async function securityPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  await showSecurity(services, request, { message: doneMessage(request, DONE) });
}

export async function showSecurity(
  services: WebsiteServices,
  request: SignedInRequest,
  { message, status }: { message: ComponentChildren; status?: number },
): Promise<void> {
  const page = requestedPage(request, PER_PAGE);
  const [sessions, log, factors, issuer]: Shown = await Promise.all([
    sessionsNow(services, request),
    securityLog(services, request, page),
    factorsState(services, request),
    issuerState(services, request),
  ]);
  const body = (
    <>
      <h2>Where you are signed in</h2>
      <SessionList request={request} sessions={sessions} />
      <FactorsSection request={request} {...factors} />
      {issuer && <IssuerSection request={request} {...issuer} />}
      {services.config.localSignIn && (
        <>
          <h2>Change your password</h2>
          <PasswordForm request={request} />
        </>
      )}
      <h2 id="log">Security log</h2>
      <p>
        <a href={ACCOUNT_PATHS.activity}>Activity</a> has whatever else was changed in the account.
      </p>
      <LogTable rows={log.rows} />
      <Pagination path={PATHS.security} number={page.number} hasMore={log.hasMore} />
    </>
  );
  request.show(dashboardPage({ section: "security", title: "Security", message, body }), status);
}

function LogTable({ rows }: Pick<SecurityLog, "rows">): VNode {
  if (rows.length === 0) return <p>Nothing here yet. Sign-ins, keys and connected apps are listed here.</p>;
  return (
    <Table
      label="Security log"
      rows={rows}
      columns={[
        {
          head: "Event",
          cell: (row) => <What text={eventName(row.kind)} subject={subjectOf(row, true)} />,
        },
        { head: "IP address", cell: ({ ip }) => ip ?? <Nothing /> },
        { head: "By", cell: ({ credentialName, email }) => credentialName ?? email ?? <Nothing /> },
        { head: "Time", cell: ({ at }) => <Time at={at} /> },
      ]}
    />
  );
}
