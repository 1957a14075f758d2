import type { VNode } from "preact";
import { type GrantRow, grantOf, grantsOf, revokeGrant } from "../../../domain/auth/grants.ts";
import { scopesIn } from "../../../domain/auth/scopes.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { ConfirmedAction, Item, ItemList } from "../components/item-list.tsx";
import { Time } from "../components/time.tsx";
import type { SignedInPost, SignedInRequest, WebsiteServices } from "../page-request.ts";
import { dashboardPage, doneMessage } from "./dashboard-page.tsx";
import { PATHS } from "./paths.ts";
import { McpOauthSnippet } from "./snippets.tsx";
import { LastUsed, ScopeList } from "./usage-labels.tsx";

const DONE = { disconnected: "Disconnected. It no longer has access." };

/** `/dashboard/apps`: the apps and agents that the owner of the account has allowed. */
export async function appsPage({ db, config }: WebsiteServices, request: SignedInRequest): Promise<void> {
  const grants = await grantsOf(db, request.session.accountId);
  const body = <AppsView request={request} grants={grants} siteUrl={config.siteUrl} />;
  request.show(dashboardPage({ section: "apps", title: "Apps and agents", message: doneMessage(request, DONE), body }));
}

/** `POST /dashboard/apps/:id/disconnect` */
export async function disconnectPost(_services: WebsiteServices, request: SignedInPost): Promise<void> {
  const { session, ip, now } = request;
  const grantId = request.param("id");
  const isDone = await request.sessionTx(async (tx) => {
    const grant = await grantOf(tx, grantId, session.accountId);
    return grant !== null && (await revokeGrant(tx, { grantId, by: "owner", ip, now }));
  });
  if (!isDone) throw new Refusal("not_found", "Your account has no such app or agent. It may be disconnected already.");
  request.redirect(`${PATHS.apps}?done=disconnected`);
}

interface AppsViewProps {
  readonly request: SignedInRequest;
  readonly grants: readonly GrantRow[];
  readonly siteUrl: string;
}

function AppsView({ request, grants, siteUrl }: AppsViewProps): VNode {
  if (grants.length === 0)
    return (
      <>
        <p>Nothing is connected. Apps and agents appear here once you have allowed them. To connect Claude Code:</p>
        <McpOauthSnippet siteUrl={siteUrl} />
      </>
    );
  return (
    <>
      <p>
        Apps and agents choose their names themselves; we have not verified them. Disconnect any that you do not know.
      </p>
      <h2>Connected now</h2>
      <ItemList>
        {grants.map((grant) => (
          <GrantItem key={grant.id} request={request} grant={grant} />
        ))}
      </ItemList>
    </>
  );
}

function GrantItem({ request, grant }: { request: SignedInRequest; grant: GrantRow }): VNode {
  const { id, name, kind, scopes, createdAt, lastUsedAt } = grant;
  return (
    <Item
      title={name}
      facts={[
        kind === "agent" ? "Agent" : "App",
        <ScopeList key="scopes" scopes={scopesIn(scopes)} />,
        <>
          Connected <Time at={createdAt} />
        </>,
        <LastUsed key="used" at={lastUsedAt} now={request.now} />,
      ]}
    >
      <ConfirmedAction
        request={request}
        label="Disconnect"
        warning="It loses access at once, and has to ask you again to reconnect."
        action={`${PATHS.apps}/${id}/disconnect`}
        button={`Disconnect ${name}`}
      />
    </Item>
  );
}
