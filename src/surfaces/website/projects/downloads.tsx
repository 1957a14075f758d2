import type { VNode } from "preact";
import getReport from "../../../../tools/get-report.ts";
import listLinks from "../../../../tools/list-links.ts";
import listProjects from "../../../../tools/list-projects.ts";
import { type Services, stream } from "../../../contract/call.ts";
import type { AnyOperation } from "../../../contract/operation.ts";
import { sendStream } from "../../http-server/send-stream.ts";
import { listAddress } from "../shell/list-query.ts";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";

/** The forms in which a list is downloaded: the suffix of the address, and the media type of the API's representation. */
const DOWNLOAD_FORMS = { csv: "text/csv", json: "application/json" } as const;
type Form = keyof typeof DOWNLOAD_FORMS;

/** Links to the whole list, filtered and sorted as it is shown, in the forms that the API has. */
export function Downloads({ path, query }: { path: string; query: Readonly<Record<string, string>> }): VNode {
  return (
    <p class="soft">
      Download this list, all pages of it: <a href={listAddress(`${path}.csv`, query)}>CSV</a> or{" "}
      <a href={listAddress(`${path}.json`, query)}>JSON</a>, as the API answers it.
    </p>
  );
}

/** `/dashboard/projects.csv` and `.json`. @throws Refusal */
export function downloadProjects(form: Form) {
  return (services: WebsiteServices, request: SignedInRequest) =>
    download(services, request, {
      operation: listProjects,
      form,
      input: fieldsIn(request, ["kind", "status", "search", "sort", "credential_id"]),
      name: "projects",
    });
}

/** `/dashboard/projects/:id/links.csv` and `.json`. @throws Refusal */
export function downloadLinks(form: Form) {
  return (services: WebsiteServices, request: SignedInRequest) => {
    const id = request.param("id");
    return download(services, request, {
      operation: listLinks,
      form,
      input: { ...fieldsIn(request, ["status", "search", "sort"]), project_id: id },
      name: `links-${id.replace(/\W/g, "")}`,
    });
  };
}

/** `/dashboard/projects/:id/report.csv`. @throws Refusal */
export function downloadReport(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const id = request.param("id");
  return download(services, request, {
    operation: getReport,
    form: "csv",
    input: { project_id: id },
    name: `report-${id.replace(/\W/g, "")}`,
  });
}

interface Download {
  readonly operation: AnyOperation;
  readonly form: Form;
  readonly input: Readonly<Record<string, string>>;
  /** Of the file, without its suffix. */
  readonly name: string;
}

/** Sends what the API answers to the same input; the session stands for the credential. */
async function download(services: WebsiteServices, request: SignedInRequest, wanted: Download): Promise<void> {
  const { operation, form, input, name } = wanted;
  const { principal, requestsToday } = await services.guard.admitSession(request.session);
  const mediaType = DOWNLOAD_FORMS[form];
  const call = { operation, input, audience: "program", principal, requestsToday } as const;
  const pieces = await stream(services satisfies Services, call, mediaType);
  await sendStream(
    request.req,
    request.res,
    {
      "Content-Type": `${mediaType}; charset=utf-8`,
      "Content-Disposition": `attachment; filename="${name}.${form}"`,
      "Cache-Control": "no-store",
    },
    pieces,
  );
}

/** The parameters of the address that the operation knows; absent ones have its defaults. */
function fieldsIn(request: SignedInRequest, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, request.query(name)]).filter(([, value]) => value !== ""));
}
