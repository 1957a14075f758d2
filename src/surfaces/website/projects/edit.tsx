import type { VNode } from "preact";
import updateProject from "../../../../tools/update-project.ts";
import { SIZES } from "../../../platform/sizes.ts";
import { Button } from "../components/button.tsx";
import { Form } from "../components/form.tsx";
import { Notice } from "../components/notice.tsx";
import { PATHS } from "../shell/addresses.ts";
import { callOperation } from "../shell/call-operation.ts";
import { dashboardPage } from "../shell/dashboard-page.tsx";
import {
  FieldOf,
  type FormFields,
  type FormProblems,
  linesOf,
  problemsIn,
  type Typed,
  typedIn,
} from "../shell/form-fields.tsx";
import type { PageRequest, SignedInPost, SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { type Project, projectAt, tagsOf } from "./domain.ts";

/** Where a project is renamed, tagged and archived. */
export function editPath(projectId: string): string {
  return `${PATHS.projects}/${projectId}/edit`;
}

const FIELDS = {
  name: {
    kind: "line",
    label: "Name",
    preset: "",
    maxLength: SIZES.projectName,
    isOptional: true,
    hint: "Leave it empty to use the host of the first URL.",
  },
  tags: {
    kind: "lines",
    label: "Tags",
    preset: "",
    rows: 4,
    hint: `One per line, such as the name of a client; at most ${SIZES.tagsPerProject} of ${SIZES.tag} characters.`,
  },
  archived: { kind: "tick", label: "Archived: hidden in the list of projects, otherwise unchanged", preset: false },
} as const satisfies FormFields;

interface EditState {
  readonly typed: Typed<typeof FIELDS>;
  readonly problems?: FormProblems<typeof FIELDS>;
}

/** `GET /dashboard/projects/:id/edit` */
export async function editPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const project = await projectAt(services, request);
  const { name, archived } = project;
  show(request, project, { typed: { name, archived, tags: tagsOf(project).join("\n") } });
}

/** `POST /dashboard/projects/:id/edit`: what was wrong is said at its field, with what was typed. */
export async function editPost(services: WebsiteServices, post: SignedInPost): Promise<void> {
  const project = await projectAt(services, post);
  const typed = typedIn(FIELDS, post);
  const { name, archived } = typed;
  try {
    const labels = { project_id: project.id, name, tags: linesOf(typed.tags), archived };
    await callOperation(services, post, updateProject, labels);
  } catch (thrown) {
    const { problems, status } = problemsIn(FIELDS, typed, thrown);
    return show(post, project, { typed, problems }, status);
  }
  post.redirect(`${PATHS.projects}/${project.id}?done=saved`);
}

function show(request: PageRequest, project: Project, state: EditState, status = 200): void {
  const body = <Edit request={request} project={project} {...state} />;
  request.show(dashboardPage({ section: "projects", title: "Rename, tag or archive", body }), status);
}

function Edit({ request, project, typed, problems }: EditState & { request: PageRequest; project: Project }): VNode {
  const field = (name: keyof typeof FIELDS) => (
    <FieldOf fields={FIELDS} name={name} typed={typed} {...(problems && { problems })} />
  );
  return (
    <>
      <p>
        <a href={`${PATHS.projects}/${project.id}`}>
          Back to <bdi>{project.name}</bdi>
        </a>
      </p>
      {problems?.form && <Notice variant="bad">{problems.form}</Notice>}
      <Form request={request} action={editPath(project.id)}>
        {field("name")}
        {field("tags")}
        {field("archived")}
        <Button>Save</Button>
      </Form>
    </>
  );
}
