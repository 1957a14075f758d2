import type { VNode } from "preact";
import { Refusal } from "../../../../platform/errors/errors.ts";
import { SIZES } from "../../../../platform/sizes.ts";
import { codePoints, hasControl } from "../../../../platform/text.ts";
import { TextField } from "../../components/field.tsx";
import { Notice } from "../../components/notice.tsx";
import { PasskeyForm, PasskeyMissing } from "../../components/passkey-form.tsx";
import { FACTOR_PATHS } from "../../shell/addresses.ts";
import { dashboardPage } from "../../shell/dashboard-page.tsx";
import type { SignedInPost, SignedInRequest, WebsiteServices } from "../../shell/page-request.ts";
import { relyingPartyFor, requireRelyingParty, visitorOf } from "../domain.ts";
import { answerAdded, changeBy, mayChange, redirectDone } from "./change.ts";
import { NoPasskeysHere } from "./section.tsx";

const NAME_LENGTH = 60;

/** `GET /dashboard/security/passkeys/new` */
export async function newPasskeyPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  if (mayChange(request)) showNewPasskey(services, request, {});
}

/** `POST /dashboard/security/passkeys/options`: what the script hands to the browser, as JSON. */
export async function newPasskeyOptionsPost(services: WebsiteServices, request: SignedInPost): Promise<void> {
  if (!mayChange(request)) return;
  const { session, now, res } = request;
  const { hash: visitorHash } = visitorOf(request);
  const person = { id: session.personId, email: session.email };
  const relyingParty = requireRelyingParty(services, request);
  const options = await services.users.factors.registrationOptions({ person, relyingParty, visitorHash, now });
  res.set("Cache-Control", "no-store").json(options);
}

/** `POST /dashboard/security/passkeys`: adds the passkey that the browser has made. */
export async function addPasskeyPost(services: WebsiteServices, request: SignedInPost): Promise<void> {
  if (!mayChange(request)) return;
  const { factors } = services.users;
  const { now } = request;
  const name = nameIn(request) || request.browser;
  const refuse = (problem: string, status: number) => showNewPasskey(services, request, { problem, name, status });
  if (!isName(name)) return refuse(NAME_PROBLEM, 400);
  const credential = await factors.verifyRegistration({
    response: request.field("passkey"),
    relyingParty: requireRelyingParty(services, request),
    visitorHash: visitorOf(request).hash,
    now,
  });
  if (!credential) return refuse("The browser's answer was not accepted, or came too late. Try again.", 400);
  const passkey = { ...changeBy(request), name, credential };
  const added = await request.sessionTx((tx) => factors.registerPasskey(tx, passkey));
  if (added === "exists") return refuse("This passkey is registered already.", 409);
  if (added === "full") return refuse(`You have ${SIZES.passkeys} passkeys, which is the maximum.`, 400);
  answerAdded(request, added, "passkey_added");
}

/** `POST /dashboard/security/passkeys/:id/rename` */
export async function renamePasskeyPost({ users }: WebsiteServices, request: SignedInPost): Promise<void> {
  const name = nameIn(request);
  if (!isName(name)) throw new Refusal("invalid_request", NAME_PROBLEM);
  const { personId } = request.session;
  const isRenamed = await request.sessionTx((tx) =>
    users.factors.renamePasskey(tx, { personId, id: request.param("id"), name }),
  );
  if (!isRenamed) throw noSuchPasskey();
  redirectDone(request, "passkey_renamed");
}

/** `POST /dashboard/security/passkeys/:id/remove` */
export async function removePasskeyPost({ users }: WebsiteServices, request: SignedInPost): Promise<void> {
  if (!mayChange(request)) return;
  const passkey = { ...changeBy(request), id: request.param("id") };
  if (!(await request.sessionTx((tx) => users.factors.removePasskey(tx, passkey)))) throw noSuchPasskey();
  redirectDone(request, "passkey_removed");
}

const NAME_PROBLEM = `A name has 1 to ${NAME_LENGTH} characters, and no control characters.`;

function nameIn(request: SignedInPost): string {
  return request.field("name").trim();
}

function isName(name: string): boolean {
  return name !== "" && codePoints(name) <= NAME_LENGTH && !hasControl(name);
}

function noSuchPasskey(): Refusal {
  return new Refusal("not_found", "You have no such passkey. It may be removed already.");
}

interface NewPasskey {
  readonly problem?: string;
  readonly name?: string;
  readonly status?: number;
}

function showNewPasskey(services: WebsiteServices, request: SignedInRequest, { status, ...state }: NewPasskey): void {
  const canUsePasskeys = relyingPartyFor(services, request) !== null;
  const body = canUsePasskeys ? (
    <NewPasskeyView request={request} {...state} />
  ) : (
    <NoPasskeysHere siteUrl={services.config.siteUrl} />
  );
  const page = dashboardPage({ section: "security", title: "Add a passkey", body });
  request.show({ ...page, scripts: ["passkey"] }, status);
}

function NewPasskeyView({ request, problem, name = "" }: NewPasskey & { request: SignedInRequest }): VNode {
  return (
    <>
      {problem && <Notice variant="bad">{problem}</Notice>}
      <p>
        A passkey is kept by your device, a password manager or a security key. It signs you in by your fingerprint,
        your face or a PIN, works only on this site, and cannot be phished.
      </p>
      <PasskeyMissing />
      <PasskeyForm
        request={request}
        ceremony="create"
        optionsPath={FACTOR_PATHS.passkeyOptions}
        action={FACTOR_PATHS.passkeys}
        button="Add a passkey"
      >
        <TextField
          name="name"
          label="Name"
          value={name || request.browser}
          autocomplete="off"
          maxLength={NAME_LENGTH}
          hint="For example the device that keeps it."
        />
      </PasskeyForm>
      <p>
        <a href={FACTOR_PATHS.section}>Back to security</a>
      </p>
    </>
  );
}
