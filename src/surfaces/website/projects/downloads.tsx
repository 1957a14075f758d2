import type { VNode } from "preact";
import getReport from "../../../../tools/get-report.ts";
import listLinks from "../../../../tools/list-links.ts";
import listProjects from "../../../../tools/list-projects.ts";
import { type DownloadForm, download } from "../shell/download.ts";
import { listAddress } from "../shell/list-query.ts";
import type { SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { type LinkParameters, presentIn } from "./link-query.ts";

/** Ways to the URLs as they are shown, in words for people; and to all that the API answers of the project. */
export function LinkDownloads({ path, parameters }: { path: string; parameters: LinkParameters }): VNode {
  const { search, sort } = parameters;
  const all = presentIn({ ...(search && { search }), ...(sort && { sort }) });
  return (
    <p class="soft no-print">
      Download this list: <a href={listAddress(`${path}/urls.csv`, presentIn(parameters))}>CSV with plain words</a>. As
      the API answers it: <a href={listAddress(`${path}/links.csv`, all)}>CSV</a>,{" "}
      <a href={listAddress(`${path}/links.json`, all)}>JSON</a>,{" "}
      <a href={`${path}/report.csv`}>the report by reason, host and folder</a>.
    </p>
  );
}

/** Ways to all projects of the list as it is shown. */
export function ProjectDownloads({ path, query }: { path: string; query: Readonly<Record<string, string>> }): VNode {
  const { archived = "hide", ...others } = query;
  return (
    <p class="soft no-print">
      Download this list: <a href={listAddress(`${path}/list.csv`, query)}>CSV with plain words</a>. As the API answers
      it: <a href={listAddress(`${path}.csv`, { ...others, archived })}>CSV</a>,{" "}
      <a href={listAddress(`${path}.json`, { ...others, archived })}>JSON</a>.
    </p>
  );
}

/** `/dashboard/projects.csv` and `.json`. @throws Refusal */
export function downloadProjects(form: DownloadForm) {
  return (services: WebsiteServices, request: SignedInRequest) =>
    download(services, request, {
      operation: listProjects,
      form,
      input: fieldsIn(request, ["kind", "status", "search", "tag", "archived", "sort", "credential_id"]),
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
