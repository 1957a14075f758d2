import type { ComponentChildren, VNode } from "preact";
import { Refusal } from "../../../platform/errors/errors.ts";
import { SIZES } from "../../../platform/sizes.ts";
import { Button } from "../components/button.tsx";
import { Facts } from "../components/facts.tsx";
import { TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { Notice } from "../components/notice.tsx";
import { Time } from "../components/time.tsx";
import { LastUsed } from "../components/usage-labels.tsx";
import { keyPath, PATHS } from "../shell/addresses.ts";
import { dashboardPage, doneMessage } from "../shell/dashboard-page.tsx";
import {
  confirmIdentity,
  isIdentityFresh,
  type SignedInPost,
  type SignedInRequest,
  type WebsiteServices,
} from "../shell/page-request.ts";
import { limitsIn, limitsOf, typedLimits } from "../spending/domain.ts";
import { LimitFields } from "../spending/limit-fields.tsx";
import { credentialUse } from "./credential-use.ts";
import { type BudgetRow, changeKey, changeKeyLimits, type KeyRow, keyWithId, lastDayOf } from "./domain.ts";
import { ConfirmFirst, endOf, LastDayField, NAME_LENGTH, nameProblem } from "./key-form.tsx";
import { KeyEnd, RevokeKey } from "./key-parts.tsx";
import { type CredentialUse, CredentialUseView } from "./spending-view.tsx";

const DONE = {
  limits: "The limits are saved. They hold from now on.",
  renamed: "The key has its new name.",
  end: "The key has its new end.",
};

/** `/dashboard/keys/:id`: one key, what it was used for, and forms to change it. */
export async function keyPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  await showKey(services, request, { message: doneMessage(request, DONE) });
}

/** `POST /dashboard/keys/:id/name` */
export async function renameKeyPost(services: WebsiteServices, request: SignedInPost): Promise<void> {
  const name = request.field("name").trim();
  const problem = nameProblem(name);
  if (problem) return showKey(services, request, { message: <Notice variant="bad">{problem}</Notice>, status: 400 });
  await changeAndReturn(services, request, { name }, "renamed");
}

/** `POST /dashboard/keys/:id/end` */
export async function changeKeyEndPost(services: WebsiteServices, request: SignedInPost): Promise<void> {
  const expiresAt = endOf(request.field("last_day"), request.now);
  if (typeof expiresAt !== "string") return changeAndReturn(services, request, { expiresAt }, "end");
  await showKey(services, request, { message: <Notice variant="bad">{expiresAt}</Notice>, status: 400 });
}

/** `POST /dashboard/keys/:id/limits` */
export async function changeKeyLimitsPost(services: WebsiteServices, request: SignedInPost): Promise<void> {
  const keyId = request.param("id");
  if (!confirmIdentity(request, { formPage: keyPath(keyId) })) return;
  const { limits, problem } = limitsIn(request);
  if (problem) return showKey(services, request, { message: <Notice variant="bad">{problem}</Notice>, status: 400 });
  if (!(await changeKeyLimits(request, keyId, limits))) throw noSuchKey();
  request.redirect(`${keyPath(keyId)}?done=limits`);
}

async function changeAndReturn(
  services: WebsiteServices,
  request: SignedInPost,
  change: Parameters<typeof changeKey>[2],
  done: keyof typeof DONE,
): Promise<void> {
  const keyId = request.param("id");
  if (!confirmIdentity(request, { formPage: keyPath(keyId) })) return;
  const outcome = await changeKey(request, keyId, change);
  if (outcome === "unknown") throw noSuchKey();
  if (outcome === "changed") return request.redirect(`${keyPath(keyId)}?done=${done}`);
  await showKey(services, request, { message: <Notice variant="bad">{FULL}</Notice>, status: 400 });
}

const FULL = `Nothing was changed: your account has ${SIZES.activeKeys} active keys, which is the maximum. Revoke one first.`;

function noSuchKey(): Refusal {
  return new Refusal("not_found", "Your account has no such key. It may be revoked already.");
}

async function showKey(
  services: WebsiteServices,
  request: SignedInRequest,
  { message, status }: { message: ComponentChildren; status?: number },
): Promise<void> {
  const key = await keyWithId(services, request, request.param("id"));
  if (!key) throw noSuchKey();
  const { budget, ...use } = await credentialUse(services, request, { credential: key.id, holder: key.id });
  const body = <KeyView request={request} apiKey={key} budget={budget} use={use} />;
  request.show(dashboardPage({ section: "keys", title: key.name, message, body }), status);
}

interface KeyViewProps {
  readonly request: SignedInRequest;
  readonly apiKey: KeyRow;
  readonly budget: BudgetRow | null;
  readonly use: CredentialUse;
}

function KeyView({ request, apiKey, budget, use }: KeyViewProps): VNode {
  const { scopes, ending, createdAt, lastUsedAt, expiresAt } = apiKey;
  const { now } = request;
  return (
    <>
      <p>
        <a href={PATHS.keys}>All API keys</a>
      </p>
      <Facts
        rows={[
          ["Key", <code key="key">****{ending}</code>],
          ["Permissions", scopes === "" ? "reading the account only" : <code key="scopes">{scopes}</code>],
          ["Created", <Time key="created" at={createdAt} />],
          ["Use", <LastUsed key="used" at={lastUsedAt} now={now} />],
          [
            "End",
            expiresAt === null ? "None: it works until it is revoked" : <KeyEnd expiresAt={expiresAt} now={now} />,
          ],
        ]}
      />
      <CredentialUseView {...use} />
      <ChangeForms request={request} apiKey={apiKey} budget={budget} />
      <h2>Revoke</h2>
      <RevokeKey request={request} apiKey={apiKey} />
    </>
  );
}

/** The forms for which users first prove who they are, as they do to create a key. */
function ChangeForms({ request, apiKey, budget }: Omit<KeyViewProps, "use">): VNode {
  const { id, name, expiresAt } = apiKey;
  const path = keyPath(id);
  if (!isIdentityFresh(request))
    return (
      <>
        <h2>Name, limits and end</h2>
        <p>
          To change the name, the limits or the end of the key, first <ConfirmFirst request={request} returnTo={path} />
          .
        </p>
      </>
    );
  return (
    <>
      <h2>Name</h2>
      <Form request={request} action={`${path}/name`}>
        <TextField name="name" label="Name" value={name} autocomplete="off" maxLength={NAME_LENGTH} />
        <Button variant="quiet">Rename</Button>
      </Form>
      <h2>Limits and end</h2>
      <Form request={request} action={`${path}/limits`}>
        <LimitFields values={typedLimits(limitsOf(budget))} />
        <Button variant="quiet">Save the limits</Button>
      </Form>
      <Form request={request} action={`${path}/end`}>
        <LastDayField value={expiresAt === null ? "" : lastDayOf(expiresAt)} />
        <Button variant="quiet">Save the end</Button>
      </Form>
    </>
  );
}
