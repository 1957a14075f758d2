import type { VNode } from "preact";
import { formatNumber } from "../../../platform/format.ts";
import { Button } from "../components/button.tsx";
import { Choice, TextField } from "../components/field.tsx";
import { Form } from "../components/form.tsx";
import { PATHS } from "../shell/addresses.ts";
import { dashboardPage, doneMessage } from "../shell/dashboard-page.tsx";
import type { SignedInPost, SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import {
  MAX_THRESHOLD,
  NOTICE_KIND_NAMES,
  NOTICE_KINDS,
  type NoticeSettings,
  noticeSettings,
  SECURITY_NOTICES,
  saveNotices,
} from "./domain.ts";

/** `GET /dashboard/notices` */
export async function noticesPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const { on, threshold } = await noticeSettings(services, request);
  show(request, { on, typed: String(threshold) });
}

/** `POST /dashboard/notices` */
export async function noticesPost(_services: WebsiteServices, request: SignedInPost): Promise<void> {
  const ticked = request.fields("notice");
  const on = new Set(NOTICE_KIND_NAMES.filter((kind) => ticked.includes(kind)));
  const typed = request.field("threshold").trim();
  const threshold = Number(typed);
  if (!/^\d{1,7}$/.test(typed) || threshold > MAX_THRESHOLD) return show(request, { on, typed, problem: PROBLEM }, 400);
  await saveNotices(request, { on, threshold });
  request.redirect(`${PATHS.notices}?done=saved`);
}

const PROBLEM = `The threshold is a whole number from 0 to ${formatNumber(MAX_THRESHOLD)}.`;

interface State extends Pick<NoticeSettings, "on"> {
  /** The threshold as it was entered. */
  readonly typed: string;
  readonly problem?: string;
}

function show(request: SignedInRequest, state: State, status = 200): void {
  const message = doneMessage(request, { saved: "Your choice is saved." });
  const body = <NoticesView request={request} {...state} />;
  request.show(dashboardPage({ section: "notices", title: "Notices", body, message }), status);
}

function NoticesView({ request, on, typed, problem }: State & { request: SignedInRequest }): VNode {
  return (
    <>
      <p>
        We send notices to <strong>{request.session.email}</strong>. Each has a link to unsubscribe.
      </p>
      <Form request={request} action={PATHS.notices}>
        <fieldset>
          <legend>Mail me about</legend>
          {NOTICE_KIND_NAMES.map((kind) => (
            <Choice
              key={kind}
              type="checkbox"
              name="notice"
              value={kind}
              isTicked={on.has(kind)}
              hint={NOTICE_KINDS[kind].about}
            >
              {NOTICE_KINDS[kind].label}
            </Choice>
          ))}
        </fieldset>
        <TextField
          name="threshold"
          label="Credits are low below"
          type="text"
          autocomplete="off"
          maxLength={9}
          value={typed}
          hint="The event credits.low has the same threshold."
          problem={problem}
        />
        <Button>Save</Button>
      </Form>
      <h2>What we always tell you</h2>
      <ul>
        {SECURITY_NOTICES.map((notice) => (
          <li key={notice}>{notice.replace(/^./, (first) => first.toUpperCase())}</li>
        ))}
      </ul>
    </>
  );
}
