import type { VNode } from "preact";
import { Refusal } from "../../../platform/errors/errors.ts";
import { Button } from "../components/button.tsx";
import { Facts } from "../components/facts.tsx";
import { Form } from "../components/form.tsx";
import { Notice } from "../components/notice.tsx";
import { Time } from "../components/time.tsx";
import { LastUsed } from "../components/usage-labels.tsx";
import { appPath, keyPath, PATHS } from "../shell/addresses.ts";
import { dashboardPage, doneMessage } from "../shell/dashboard-page.tsx";
import {
  confirmIdentity,
  isIdentityFresh,
  type SignedInPost,
  type SignedInRequest,
  type WebsiteServices,
} from "../shell/page-request.ts";
import { limitsOf, termsIn, typedTerms } from "../spending/domain.ts";
import { LimitFields } from "../spending/limit-fields.tsx";
import { Disconnect } from "./apps.tsx";
import { credentialUse } from "./credential-use.ts";
import { appWithGrant, type BudgetRow, type Connection, changeAppTerms, keyWithId } from "./domain.ts";
import { ConfirmFirst } from "./key-form.tsx";
import { type CredentialUse, CredentialUseView } from "./spending-view.tsx";

const DONE = { limits: "The limits are saved. They hold from now on." };

/** `/dashboard/apps/:id`: one app or agent, what it has spent and done, and its limits. */
export async function appPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  await showApp(services, request, { message: doneMessage(request, DONE) });
}

/** `POST /dashboard/apps/:id/limits` */
export async function changeTermsPost(services: WebsiteServices, request: SignedInPost): Promise<void> {
  const grantId = request.param("id");
  if (!confirmIdentity(request, { formPage: appPath(grantId) })) return;
  const { terms, problem } = termsIn(request);
  if (problem) return showApp(services, request, { message: <Notice variant="bad">{problem}</Notice>, status: 400 });
  const isChanged = await changeAppTerms(request, grantId, terms);
  if (!isChanged) throw noSuchApp();
  request.redirect(`${appPath(grantId)}?done=limits`);
}

/** `/dashboard/credentials/:id` redirects to the page of the key or app. Refusals by a limit that a person may raise lead here. */
export async function credentialPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const id = request.param("id");
  const key = await keyWithId(services, request, id);
  request.redirect(key ? keyPath(key.id) : appPath(encodeURIComponent(id)));
}

function noSuchApp(): Refusal {
  return new Refusal("not_found", "Your account has no such app or agent. It may be disconnected already.");
}

async function showApp(
  services: WebsiteServices,
  request: SignedInRequest,
  { message, status }: { message: VNode | null; status?: number },
): Promise<void> {
  const connection = await appWithGrant(services, request, request.param("id"));
  if (!connection) throw noSuchApp();
  const { budget, ...use } = await credentialUse(services, request, {
    credential: connection.id,
    holder: connection.holder,
  });
  const body = <AppView {...{ request, connection, budget, use }} />;
  request.show(dashboardPage({ section: "apps", title: connection.name, message, body }), status);
}

interface AppViewProps {
  readonly request: SignedInRequest;
  readonly connection: Connection;
  readonly budget: BudgetRow | null;
  readonly use: CredentialUse;
}

function AppView({ request, connection, budget, use }: AppViewProps): VNode {
  const { kind, scopes, connectedAt, lastUsedAt } = connection;
  const end = budget?.expiresAt ?? null;
  return (
    <>
      <p>
        <a href={PATHS.apps}>All apps and agents</a>
      </p>
      <p class="soft">It chose its name itself. We have not verified it.</p>
      <Facts
        rows={[
          ["Kind", kind === "agent" ? "Agent" : "App"],
          [
            "Permissions",
            scopes.length === 0 ? "reading the account only" : <code key="scopes">{scopes.join(" ")}</code>,
          ],
          ["Connected", <Time key="connected" at={connectedAt.at(-1)!} />],
          ["Use", <LastUsed key="used" at={lastUsedAt} now={request.now} />],
          ["End", end === null ? "None: until you disconnect it" : <Time key="end" at={end} />],
        ]}
      />
      <CredentialUseView {...use} />
      <h2>Limits</h2>
      <LimitsForm request={request} connection={connection} budget={budget} />
      <h2>Disconnect</h2>
      <Disconnect request={request} connection={connection} />
    </>
  );
}

function LimitsForm({ request, connection, budget }: Omit<AppViewProps, "use">): VNode {
  const path = appPath(connection.id);
  if (!isIdentityFresh(request))
    return (
      <p>
        To change the limits, first <ConfirmFirst request={request} returnTo={path} />.
      </p>
    );
  return (
    <>
      <p>They stay the same when it connects again or gets a new token.</p>
      <Form request={request} action={`${path}/limits`}>
        <LimitFields values={typedTerms(limitsOf(budget), budget?.expiresAt ?? null)} />
        <Button variant="quiet">Save the limits</Button>
      </Form>
    </>
  );
}
