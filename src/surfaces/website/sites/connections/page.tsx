import type { ComponentChildren, VNode } from "preact";
import type { Config } from "../../../../platform/config/config.ts";
import { Refusal } from "../../../../platform/errors/errors.ts";
import { formatNumber } from "../../../../platform/format.ts";
import { SEARCH_SERVICES } from "../../../../platform/search-services.ts";
import { Button } from "../../components/button.tsx";
import { Choice, TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { ConfirmedAction, Item, ItemList } from "../../components/item-list.tsx";
import { Notice } from "../../components/notice.tsx";
import { Time } from "../../components/time.tsx";
import { PATHS } from "../../shell/addresses.ts";
import { dashboardPage, doneMessage } from "../../shell/dashboard-page.tsx";
import {
  confirmIdentity,
  type SignedInPost,
  type SignedInRequest,
  type WebsiteServices,
} from "../../shell/page-request.ts";
import {
  CALLBACK_PATH,
  type ConnectionView,
  canConnectGoogle,
  connectionViews,
  consentOrigin,
  disconnect,
  saveBingKey,
} from "../domain.ts";
import { FAILURES, openedBy, PROBLEMS } from "./words.ts";

const DONE = {
  connected: "It is connected. See below what its properties open.",
  ended: "It is disconnected. What you had allowed is given back.",
};

/** `GET /dashboard/connections`: the account's own Search Console and Bing Webmaster accounts. */
export async function connectionsPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const word = request.query("problem");
  const problem = Object.hasOwn(PROBLEMS, word) ? PROBLEMS[word as keyof typeof PROBLEMS] : null;
  const message = problem ? <Notice variant="bad">{problem}</Notice> : doneMessage(request, DONE);
  await showConnections(services, request, { message });
}

/** `POST /dashboard/connections/bing`: tries a key, and connects it. */
export async function connectBingPost(services: WebsiteServices, post: SignedInPost): Promise<void> {
  if (!confirmIdentity(post, { formPage: PATHS.connections })) return;
  if (services.config.mode !== "live") throw new Refusal("not_found", "A sandbox connects nothing.");
  const key = post.field("key").trim();
  if (!/^[\x21-\x7e]{16,200}$/.test(key)) return showConnections(services, post, { keyProblem: NO_KEY, status: 400 });
  const connected = await saveBingKey(services, post, key);
  if ("id" in connected) return post.redirect(`${PATHS.connections}?done=connected#${connected.id}`);
  await showConnections(services, post, { keyProblem: PROBLEMS[connected.problem], status: 400 });
}

const NO_KEY = "This is no API key: it has 16 characters or more, and no spaces.";

/** `POST /dashboard/connections/:id/end` */
export async function endConnectionPost(services: WebsiteServices, post: SignedInPost): Promise<void> {
  if (!confirmIdentity(post, { formPage: PATHS.connections })) return;
  if (!(await disconnect(services, post, post.param("id"))))
    throw new Refusal(
      "not_found",
      "There is no such connection that you may end. It may be disconnected already; what another person has connected is ended by an owner.",
    );
  post.redirect(`${PATHS.connections}?done=ended`);
}

interface State {
  readonly message?: ComponentChildren;
  readonly keyProblem?: string;
  readonly status?: number;
}

async function showConnections(
  services: WebsiteServices,
  request: SignedInRequest,
  { message, keyProblem, status }: State,
): Promise<void> {
  const { config } = services;
  const connections = await connectionViews(services, request);
  const body = (
    <>
      <p>
        Connect your own Search Console, and Google itself says which of your pages it has: before any search, and
        without a cost. <a href="/docs/search-console">What it opens</a>.
      </p>
      <ConnectGoogle request={request} config={config} />
      {connections.length > 0 && <h2>Your connections</h2>}
      <ItemList>
        {connections.map((one) => (
          <ConnectionItem key={one.id} request={request} connection={one} />
        ))}
      </ItemList>
      {config.mode === "live" && <ConnectBing request={request} problem={keyProblem} />}
    </>
  );
  const page = dashboardPage({ section: "connections", title: "Connections", message, body });
  // The form leads to Google by a redirect.
  request.show({ ...page, forms: canConnectGoogle(config) ? [consentOrigin(config)] : [] }, status);
}

function ConnectGoogle({ request, config }: { request: SignedInRequest; config: Config }): VNode {
  if (config.mode !== "live") return <p>A sandbox asks no search engine. In a live service you connect it here.</p>;
  if (!canConnectGoogle(config))
    return (
      <p>
        This service is not set up for it yet: its operator{" "}
        <a href="/docs/search-console#for-the-operator">makes a client at Google</a> first.
      </p>
    );
  return (
    <Form request={request} action={CALLBACK_PATH}>
      <Choice type="checkbox" name="sitemaps" isTicked={false} hint="Without it the permission is to read only.">
        Also hand over the sitemaps of my projects to Google
      </Choice>
      <Button>Connect Search Console</Button>
    </Form>
  );
}

function ConnectBing({ request, problem }: { request: SignedInRequest; problem: string | undefined }): VNode {
  return (
    <>
      <h2>Bing Webmaster Tools</h2>
      <Form request={request} action={`${PATHS.connections}/bing`}>
        <TextField
          name="key"
          label="API key"
          type="password"
          autocomplete="off"
          problem={problem}
          hint="From Bing Webmaster Tools, Settings, API access. It is tried before it is saved."
        />
        <Button variant="quiet">Connect Bing</Button>
      </Form>
    </>
  );
}

function ConnectionItem({ request, connection }: { request: SignedInRequest; connection: ConnectionView }): VNode {
  const { id, kind, name, checkedAt, failingSince, failure, properties, by, mayEnd } = connection;
  const state =
    failingSince === null ? (
      checkedAt === null ? (
        "Its properties could not be read yet; we try again within the hour."
      ) : (
        <>
          {formatNumber(properties.length)} {properties.length === 1 ? "property" : "properties"}, read{" "}
          <Time at={checkedAt} />
        </>
      )
    ) : (
      <Notice variant="bad">
        Gives no access since <Time at={failingSince} />. {FAILURES[failure ?? ""]}
      </Notice>
    );
  const list = (
    <ul>
      {properties.map((property) => (
        <li key={property.name}>
          <code>{property.name}</code>: {openedBy(connection, property)}
        </li>
      ))}
    </ul>
  );
  return (
    <Item
      title={
        <span id={id}>
          {SEARCH_SERVICES[kind]}: {name}
        </span>
      }
      facts={[state, by === null ? null : `Connected by ${by}`, properties.length > 0 ? list : null]}
    >
      {mayEnd && (
        <ConfirmedAction
          request={request}
          label="Disconnect"
          warning="Its properties are no longer used, and hosts that only they verify are no longer verified."
          action={`${PATHS.connections}/${id}/end`}
          button={`Disconnect ${name}`}
        />
      )}
    </Item>
  );
}
