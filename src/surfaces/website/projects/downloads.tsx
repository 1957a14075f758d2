import type { VNode } from "preact";
import getReport from "../../../../tools/get-report.ts";
import listLinks from "../../../../tools/list-links.ts";
import listProjects from "../../../../tools/list-projects.ts";
import { type DownloadForm, download } from "../shell/download.ts";
import { listAddress } from "../shell/list-query.ts";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";

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
export function downloadProjects(form: DownloadForm) {
  return (services: WebsiteServices, request: SignedInRequest) =>
    download(services, request, {
      operation: listProjects,
      form,
      input: fieldsIn(request, ["kind", "status", "search", "sort", "credential_id"]),
      name: "projects",
    });
}

/** `/dashboard/projects/:id/links.csv` and `.json`. @throws Refusal */
export function downloadLinks(form: DownloadForm) {
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

/** The parameters of the address that the operation knows; absent ones have its defaults. */
function fieldsIn(request: SignedInRequest, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, request.query(name)]).filter(([, value]) => value !== ""));
}
