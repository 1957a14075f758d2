import type { VNode } from "preact";
import { Button } from "../../components/button.tsx";
import { Choice, TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { Notice } from "../../components/notice.tsx";
import { EmailField, NewPasswordField } from "../../components/sign-in-fields.tsx";
import type { FormPost, PageRequest, WebsiteServices } from "../../shell/page-request.ts";
import { retryLater } from "../../shell/retry-later.ts";
import { passwordProblem, visitorOf } from "../domain.ts";
import { showExpiredLink } from "./expired-link.tsx";
import { startSession } from "./start-session.ts";

/** `GET /reset`: changes nothing until the form is sent, since mail scanners open every link. */
export async function showReset(services: WebsiteServices, request: PageRequest): Promise<void> {
  await showForm(services, request, { secret: request.query("link"), everything: true, since: "" });
}

/** `POST /reset` */
export async function resetPost(services: WebsiteServices, post: FormPost): Promise<void> {
  const secret = post.field("link");
  const everything = post.field("everything") === "yes";
  const since = post.field("since");
  const password = post.field("password");
  const link = await services.users.linkOf(secret, post.now);
  const problem = await passwordProblem(password, link?.email ?? "");
  if (problem) return showForm(services, post, { secret, everything, since, problem }, 400);
  try {
    const paused = { revokeAccess: everything, pausedSince: startOfDay(since) };
    const reset = { link: secret, password, ...paused, visitor: visitorOf(post), now: post.now };
    const done = await services.users.resetPassword(reset);
    if (done) await startSession(services, post, done.session, done.returnTo);
    else showExpiredLink(post, "/forgot");
  } catch (thrown) {
    const { status, headers, text } = retryLater(thrown);
    post.res.set(headers);
    await showForm(services, post, { secret, everything, since, message: text }, status);
  }
}

/** The start of a day (UTC) that was typed as YYYY-MM-DD; 0 where it is no day: everything is paused then. */
function startOfDay(text: string): number {
  const start = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(start) ? 0 : start;
}

interface ResetForm {
  readonly secret: string;
  readonly everything: boolean;
  readonly since: string;
  readonly problem?: string;
  readonly message?: string;
}

/** Shows the form if the link is valid. */
async function showForm(
  { users }: WebsiteServices,
  request: PageRequest,
  state: ResetForm,
  status = 200,
): Promise<void> {
  const link = await users.linkOf(state.secret, request.now);
  if (link?.purpose !== "reset") return showExpiredLink(request, "/forgot");
  const { email } = link;
  // Without a password so far, nobody can have learned it: the box below is not needed.
  const hasPassword = (await users.personByEmail(email))?.passwordHash != null;
  const body = <ResetView request={request} {...state} email={email} hasPassword={hasPassword} />;
  request.show({ title: "New password - Beckon", forms: [], body }, status);
}

interface ResetViewProps extends ResetForm {
  readonly request: PageRequest;
  readonly email: string;
  readonly hasPassword: boolean;
}

function ResetView(props: ResetViewProps): VNode {
  const { request, secret, email, hasPassword, everything, since, problem, message } = props;
  return (
    <>
      <h1>{hasPassword ? "Set a new password" : "Choose a password"}</h1>
      {message && <Notice variant="bad">{message}</Notice>}
      <p>This signs you in here{hasPassword ? ", and out of all other browsers" : ""}.</p>
      <Form request={request} action="/reset" hidden={{ link: secret }}>
        <EmailField value={email} isFixed />
        <NewPasswordField label="New password" problem={problem} />
        {hasPassword && (
          <Choice
            type="checkbox"
            name="everything"
            isTicked={everything}
            hint="Do this if somebody else may have known your password. Webhooks and watches are paused then."
          >
            Also disconnect all apps and agents, and revoke all API keys
          </Choice>
        )}
        {hasPassword && (
          <TextField
            label="Pause only webhooks and watches made or changed since (UTC)"
            name="since"
            type="date"
            autocomplete="off"
            value={since}
            hint="Empty: all of them. A mail lists what was paused."
          />
        )}
        <Button>Set the password</Button>
      </Form>
    </>
  );
}
