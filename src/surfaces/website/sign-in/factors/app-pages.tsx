import type { VNode } from "preact";
import { HOUR } from "../../../../platform/clock.ts";
import { secretBoxOf } from "../../../../platform/config/secrets-key.ts";
import { Refusal } from "../../../../platform/errors/errors.ts";
import { type SealedField, Unsealable } from "../../../../platform/secret-box.ts";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { FACTOR_PATHS } from "../../shell/addresses.ts";
import { dashboardPage } from "../../shell/dashboard-page.tsx";
import type { SignedInPost, SignedInRequest, WebsiteServices } from "../../shell/page-request.ts";
import { authenticatorUri, newAuthenticatorSecret, stepOfCode } from "../domain.ts";
import { answerAdded, changeBy, mayChange, redirectDone } from "./change.ts";
import { QrCode } from "./qr-code.tsx";

/** How long the page may be open, in ms. */
const LIFETIME = HOUR;

/** `GET /dashboard/security/app/new`: a new secret, as a QR code and as text. */
export async function newAppPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  if (!mayChange(request)) return;
  if (await services.users.factors.authenticatorAppOf(request.session.personId)) request.redirect(FACTOR_PATHS.section);
  else showNewApp(services, request, { secret: newAuthenticatorSecret() });
}

/** `POST /dashboard/security/app`: adds the app, once it has shown a right code. */
export async function addAppPost(services: WebsiteServices, request: SignedInPost): Promise<void> {
  if (!mayChange(request)) return;
  const secret = openSecret(services, request);
  if (secret === null) return request.redirect(FACTOR_PATHS.newApp);
  const step = stepOfCode(secret, request.field("code"), request.now);
  if (step === null) return showNewApp(services, request, { secret, problem: WRONG_CODE, status: 400 });
  const app = { ...changeBy(request), secret, step };
  const added = await request.sessionTx((tx) => services.users.factors.registerApp(tx, app));
  if (!added) throw new Refusal("invalid_request", "Your account has an authenticator app already. Remove it first.");
  answerAdded(request, added, "app_added");
}

/** `POST /dashboard/security/app/remove` */
export async function removeAppPost({ users }: WebsiteServices, request: SignedInPost): Promise<void> {
  if (!mayChange(request)) return;
  if (!(await request.sessionTx((tx) => users.factors.removeApp(tx, changeBy(request)))))
    throw new Refusal("not_found", "Your account has no authenticator app. It may be removed already.");
  redirectDone(request, "app_removed");
}

const WRONG_CODE = "The code is wrong. Enter the one that the app shows now, and check the clock of its device.";

/** The secret travels sealed in the form, so that nothing is stored before the app has shown a code. */
function sealSecret({ config }: WebsiteServices, request: SignedInRequest, secret: string): string {
  return secretBoxOf(config).seal(JSON.stringify({ secret, at: request.now }), fieldOf(request));
}

/** @returns null when the form was changed, is another session's, or is too old */
function openSecret({ config }: WebsiteServices, request: SignedInPost): string | null {
  try {
    const text = secretBoxOf(config).open(request.field("sealed"), fieldOf(request));
    const { secret, at } = JSON.parse(text) as { secret: string; at: number };
    return request.now - at <= LIFETIME ? secret : null;
  } catch (thrown) {
    if (thrown instanceof Unsealable) return null;
    throw thrown;
  }
}

function fieldOf({ session }: SignedInRequest): SealedField {
  return { table: "sessions", row: session.id, column: "new authenticator app" };
}

interface NewApp {
  readonly secret: string;
  readonly problem?: string;
}

function showNewApp(
  services: WebsiteServices,
  request: SignedInRequest,
  { status, ...state }: NewApp & { status?: number },
): void {
  const body = <NewAppView request={request} sealed={sealSecret(services, request, state.secret)} {...state} />;
  const page = dashboardPage({ section: "security", title: "Add an authenticator app", body });
  request.show({ ...page, showsSecret: true }, status);
}

function NewAppView(props: NewApp & { request: SignedInRequest; sealed: string }): VNode {
  const { request, sealed, secret, problem } = props;
  const uri = authenticatorUri(secret, request.session.email);
  return (
    <>
      <p>
        An authenticator app shows a code of six digits that changes every 30 seconds. Scan this with the app, or enter
        the key below, and then type the code that it shows.
      </p>
      <QrCode text={uri} label="QR code for your authenticator app" />
      <p>
        The key, if you cannot scan: <code class="long-code">{secret.match(/.{1,4}/g)!.join(" ")}</code>
      </p>
      <p>
        On this device: <a href={uri}>open the app</a>.
      </p>
      <Form request={request} action={FACTOR_PATHS.app} hidden={{ sealed }}>
        <TextField
          name="code"
          label="The code that the app shows"
          autocomplete="one-time-code"
          maxLength={10}
          isCode
          problem={problem}
        />
        <Button>Add the app</Button>
      </Form>
      <p>From then on, signing in with your password also asks for a code, or for a passkey.</p>
    </>
  );
}
