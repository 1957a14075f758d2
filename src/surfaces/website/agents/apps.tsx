import type { VNode } from "preact";
import { Refusal } from "../../../platform/errors/errors.ts";
import { ConfirmedAction, Item, ItemList } from "../components/item-list.tsx";
import { McpOauthSnippet } from "../components/snippets.tsx";
import { Time } from "../components/time.tsx";
import { LastUsed, ScopeList } from "../components/usage-labels.tsx";
import { appPath, PATHS } from "../shell/addresses.ts";
import { dashboardPage, doneMessage } from "../shell/dashboard-page.tsx";
import type { SignedInPost, SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { type Connection, connectedApps, disconnectApp } from "./domain.ts";

const DONE = { disconnected: "Disconnected. It no longer has access." };

/** `/dashboard/apps`: the apps and agents that the owner of the account has allowed. */
export async function appsPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const connections = await connectedApps(services, request);
  const body = <AppsView request={request} connections={connections} siteUrl={services.config.siteUrl} />;
  request.show(dashboardPage({ section: "apps", title: "Apps and agents", message: doneMessage(request, DONE), body }));
}

/** `POST /dashboard/apps/:id/disconnect` */
export async function disconnectPost(_services: WebsiteServices, request: SignedInPost): Promise<void> {
  const isDone = await disconnectApp(request, request.param("id"));
  if (!isDone) throw new Refusal("not_found", "Your account has no such app or agent. It may be disconnected already.");
  request.redirect(`${PATHS.apps}?done=disconnected`);
}

interface AppsViewProps {
  readonly request: SignedInRequest;
  readonly connections: readonly Connection[];
  readonly siteUrl: string;
}

function AppsView({ request, connections, siteUrl }: AppsViewProps): VNode {
  if (connections.length === 0)
    return (
      <>
        <p>Nothing is connected. Apps and agents appear here once you have allowed them. To connect Claude Code:</p>
        <McpOauthSnippet siteUrl={siteUrl} />
      </>
    );
  return (
    <>
      <p>
        Apps and agents choose their own names; we have not verified them. Disconnect any that you do not know. One
        whose access has expired is not listed: it has to ask you again.
      </p>
      <p>
        Calls that need your approval are on the page <a href={PATHS.approvals}>Approvals</a>.
      </p>
      <h2>Connected now</h2>
      <ItemList>
        {connections.map((connection) => (
          <ConnectionItem key={connection.id} request={request} connection={connection} />
        ))}
      </ItemList>
    </>
  );
}

function ConnectionItem({ request, connection }: { request: SignedInRequest; connection: Connection }): VNode {
  const { id, name, kind, scopes, connectedAt, lastUsedAt } = connection;
  const isAgent = kind === "agent";
  return (
    <Item
      title={<a href={appPath(id)}>{name}</a>}
      facts={[
        isAgent ? "Agent" : "App",
        <ScopeList key="scopes" scopes={scopes} />,
        <>
          Connected <Time at={connectedAt.at(-1)!} />
          {connectedAt.length > 1 && (
            <>
              , {connectedAt.length} times, last <Time at={connectedAt[0]!} />
            </>
          )}
        </>,
        <LastUsed key="used" at={lastUsedAt} now={request.now} />,
      ]}
    >
      <Disconnect request={request} connection={connection} />
    </Item>
  );
}

/** Disconnects an app or agent, after it was confirmed. */
export function Disconnect({ request, connection }: { request: SignedInRequest; connection: Connection }): VNode {
  const { id, name, connectedAt } = connection;
  const where = connectedAt.length > 1 ? "at once, wherever it was connected," : "at once,";
  return (
    <ConfirmedAction
      request={request}
      label="Disconnect"
      warning={`It loses access ${where} and has to ask you again to reconnect.`}
      action={`${appPath(id)}/disconnect`}
      button={`Disconnect ${name}`}
    />
  );
}
