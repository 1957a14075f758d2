import type { VNode } from "preact";
import { DAY } from "../../../platform/clock.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { formatCount } from "../../../platform/format.ts";
import { Button } from "../components/button.tsx";
import { Facts } from "../components/facts.tsx";
import { TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { Notice } from "../components/notice.tsx";
import { Time } from "../components/time.tsx";
import { ACCOUNT_PATHS, DELETION_PATH } from "../shell/addresses.ts";
import { dashboardPage } from "../shell/dashboard-page.tsx";
import {
  confirmIdentity,
  type SignedInPost,
  type SignedInRequest,
  type WebsiteServices,
} from "../shell/page-request.ts";
import {
  addressUndoableUntil,
  askForDeletion,
  DELETION_DELAY,
  type DeletionPreview,
  deletionPreview,
} from "./domain.ts";

/** `GET /dashboard/security/delete`: says what the deletion ends, before it is asked for. */
export async function deleteAccountPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  if (confirmIdentity(request, { formPage: ACCOUNT_PATHS.delete })) await showForm(services, request, {});
}

/** `POST /dashboard/security/delete` */
export async function deleteAccountPost(services: WebsiteServices, request: SignedInPost): Promise<void> {
  if (!confirmIdentity(request, { formPage: ACCOUNT_PATHS.delete })) return;
  const typed = request.field("email");
  try {
    await askForDeletion(services, request, typed);
  } catch (thrown) {
    if (!(thrown instanceof Refusal) || thrown.code !== "invalid_request") throw thrown;
    return showForm(services, request, { typed, problem: thrown.message }, 400);
  }
  request.redirect(DELETION_PATH);
}

interface State {
  readonly typed?: string | undefined;
  readonly problem?: string | undefined;
}

async function showForm(
  services: WebsiteServices,
  request: SignedInRequest,
  state: State,
  status = 200,
): Promise<void> {
  const preview = await deletionPreview(services, request);
  const until = await addressUndoableUntil(services, request);
  const body = <DeleteView request={request} preview={preview} until={until} {...state} />;
  request.show(dashboardPage({ section: "deletion", title: "Delete your account", body }), status);
}

interface DeleteViewProps extends State {
  readonly request: SignedInRequest;
  readonly preview: DeletionPreview;
  /** Until when a change of the address can be undone. Nothing can be deleted before. */
  readonly until: number | null;
}

function DeleteView({ request, preview, until, typed, problem }: DeleteViewProps): VNode {
  return (
    <>
      <Losses {...preview} />
      <h2>At once</h2>
      <ul>
        <li>All API keys are revoked, all apps and agents are disconnected, and all other browsers are signed out.</li>
        <li>Connections to Search Console and Bing end, and their access is revoked at Google.</li>
        <li>What was not sent yet is cancelled, and its credits are returned to the balance.</li>
        <li>Watches pause: no sitemap is read for you any more, and nothing is submitted.</li>
      </ul>
      <h2>In {DELETION_DELAY / DAY} days</h2>
      <ul>
        <li>
          The balance is lost. Credits are not paid out. Links that were sent and are not decided by then return
          nothing.
        </li>
        <li>
          Your name, address and password, all projects with their URLs and results, sites, keys, apps and logs are
          deleted. Nobody can bring them back.
        </li>
        <li>Receipts and the record of credits stay, without your name and address.</li>
      </ul>
      <p>
        Until then you can keep the account: sign in, and press the button that you find there. What ended stays ended;
        watches that you made yourself go on. Afterwards, your address can open a new account.
      </p>
      <p>
        <a href={ACCOUNT_PATHS.export}>Export what the account holds</a> first, if you want to keep it.
      </p>
      {until === null ? (
        <DeleteForm {...{ request, typed, problem }} />
      ) : (
        <Notice variant="bad">
          The address of this account was changed lately. Until <Time at={until} /> that can be undone, and the account
          cannot be deleted.
        </Notice>
      )}
    </>
  );
}

function Losses({
  balance,
  creditsReturned,
  unsentLinks,
  openLinks,
  runningProjects,
  watches,
  keys,
  connections,
}: DeletionPreview) {
  return (
    <Facts
      rows={[
        [
          "Balance, which will be lost",
          creditsReturned > 0
            ? `${formatCount(balance, "credit")}, and ${formatCount(creditsReturned, "credit")} of URLs not sent yet`
            : formatCount(balance, "credit"),
        ],
        ["Running projects", runningProjects],
        ["URLs not sent yet", unsentLinks],
        ["URLs sent, not decided yet", openLinks],
        ["Running watches", watches],
        ["API keys", keys],
        ["Apps and agents", connections],
      ]}
    />
  );
}

function DeleteForm({ request, typed, problem }: State & { request: SignedInRequest }): VNode {
  return (
    <Form request={request} action={ACCOUNT_PATHS.delete}>
      <TextField
        name="email"
        label="Type your e-mail address to confirm"
        type="email"
        autocomplete="off"
        value={typed}
        problem={problem}
      />
      <Button variant="bad">Delete my account</Button>
    </Form>
  );
}
