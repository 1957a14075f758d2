import type { VNode } from "preact";
import getProject from "../../../../tools/get-project.ts";
import shareResults from "../../../../tools/share-results.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { SIZES } from "../../../platform/sizes.ts";
import { Button } from "../components/button.tsx";
import { CodeBlock } from "../components/code-block.tsx";
import { Form } from "../components/form.tsx";
import { Notice } from "../components/notice.tsx";
import { Day } from "../components/time.tsx";
import { newSharePath, PATHS, sitePath } from "../shell/addresses.ts";
import { callOperation, readOperation } from "../shell/call-operation.ts";
import { dashboardPage } from "../shell/dashboard-page.tsx";
import { FieldOf, type FormProblems, presetsOf, problemsIn, type Typed, typedIn } from "../shell/form-fields.tsx";
import {
  confirmByFactor,
  type SignedInPost,
  type SignedInRequest,
  type WebsiteServices,
} from "../shell/page-request.ts";

/** What is shared: a project, or else a host. */
interface Subject {
  readonly project: string;
  readonly host: string;
}

const FIELDS = {
  title: { kind: "line", label: "Title", preset: "", maxLength: SIZES.share.title, hint: "Stands above the results" },
  from: {
    kind: "line",
    label: "From",
    preset: "",
    maxLength: SIZES.share.from,
    isOptional: true,
    hint: "Your name or your company's, if you want it there",
  },
  ends: {
    kind: "choice",
    label: "The link ends",
    input: "expires_in_days",
    preset: "30",
    words: { "7": "in a week", "30": "in 30 days", "90": "in 90 days", "400": "in 400 days, the longest" },
  },
} as const;

type Fields = typeof FIELDS;

/** `/dashboard/shares/new?project=…` or `?host=…`: a title, a name and an end. */
export async function newSharePage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const subject = { project: request.query("project"), host: request.query("host") };
  const name = await nameOf(services, request, subject);
  const typed = { ...presetsOf(FIELDS), title: name.slice(0, SIZES.share.title) };
  showForm(request, { subject, name, typed });
}

/** `POST /dashboard/shares`: makes the link, and shows it this once. */
export async function newSharePost(services: WebsiteServices, post: SignedInPost): Promise<void> {
  const subject = { project: post.field("project"), host: post.field("host") };
  if (!confirmByFactor(post, { formPage: newSharePath(subject) })) return;
  const name = await nameOf(services, post, subject);
  const typed = typedIn(FIELDS, post);
  try {
    const share = await callOperation(services, post, shareResults, {
      ...(subject.project ? { project_id: subject.project } : { host: subject.host }),
      title: typed.title || name.slice(0, SIZES.share.title),
      from: typed.from || undefined,
      expires_in_days: Number(typed.ends),
    });
    showLink(post, subject, share.url!, share.expires_at);
  } catch (thrown) {
    const { problems, status } = problemsIn(FIELDS, typed, thrown);
    showForm(post, { subject, name, typed, problems, status });
  }
}

/** What is shared, in words. @throws Refusal not_found where there is no such thing */
async function nameOf(
  services: WebsiteServices,
  request: SignedInRequest,
  { project, host }: Subject,
): Promise<string> {
  if (project) return (await readOperation(services, request, getProject, { project_id: project })).name;
  if (host) return host;
  throw new Refusal("not_found", "Choose what to share: open a project or a site, and press Share there.");
}

interface Shown {
  readonly subject: Subject;
  readonly name: string;
  readonly typed: Typed<Fields>;
  readonly problems?: FormProblems<Fields>;
  readonly status?: number;
}

function showForm(request: SignedInRequest, shown: Shown): void {
  const title = shown.subject.project ? "Share a project" : "Share a site";
  request.show(
    dashboardPage({ section: "shares", title, body: <ShareForm {...{ request, ...shown }} /> }),
    shown.status,
  );
}

function ShareForm({ request, subject, name, typed, problems = {} }: Shown & { request: SignedInRequest }): VNode {
  const hidden = subject.project ? { project: subject.project } : { host: subject.host };
  return (
    <>
      {problems.form && <Notice variant="bad">{problems.form}</Notice>}
      <p>
        Anybody who has the link sees the results of{" "}
        <a href={backTo(subject)}>
          <bdi>{name}</bdi>
        </a>{" "}
        as they are at that time, and nothing else of your account. You can end it at any time.
      </p>
      <Form request={request} action={PATHS.shares} hidden={hidden}>
        {(Object.keys(FIELDS) as (keyof Fields)[]).map((field) => (
          <FieldOf key={field} fields={FIELDS} name={field} typed={typed} problems={problems} />
        ))}
        <Button>Make the link</Button>
      </Form>
    </>
  );
}

function showLink(request: SignedInRequest, subject: Subject, url: string, end: string): void {
  const body = (
    <>
      <Notice>Copy the link now: it is not shown again. Whoever has it needs no account.</Notice>
      <CodeBlock class="key" text={url} />
      <p>
        It ends on <Day at={end} />. <a href={url}>See what it shows</a>
      </p>
      <p>
        <a href={backTo(subject)}>Back to the {subject.project ? "project" : "site"}</a> ·{" "}
        <a href={PATHS.shares}>All links</a>
      </p>
    </>
  );
  request.show({ ...dashboardPage({ section: "shares", title: "Your link", body }), showsSecret: true });
}

function backTo({ project, host }: Subject): string {
  return project ? `${PATHS.projects}/${project}` : sitePath(host);
}
