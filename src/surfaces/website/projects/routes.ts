import type { Router } from "express";
import { PATHS, REPEATS_PATH, reportPath } from "../shell/addresses.ts";
import type { PageHandlers, SignedInRequest, WebsiteServices } from "../shell/page-request.ts";
import { signedInRoutes } from "../shell/signed-in-routes.ts";
import { advancePost } from "./advance-clock.tsx";
import { downloadLinks, downloadProjects, downloadReport } from "./downloads.tsx";
import { editPage, editPost } from "./edit.tsx";
import { linkPage } from "./link.tsx";
import { newProjectPage, newProjectPost } from "./new-project/new-project.ts";
import { repeatsPost } from "./new-project/repeats.ts";
import { downloadProjectList, downloadUrls } from "./plain-csv.ts";
import { projectPage } from "./project.tsx";
import { cancelProjectPost } from "./project-cancel.tsx";
import { projectsPage } from "./projects.tsx";
import { resubmitPage, resubmitPost } from "./resubmit.tsx";

/** Projects, their links and reports, and the form that creates them. Their addresses are part of the API (`dashboard_url`). */
export function projectRoutes(services: WebsiteServices, pages: PageHandlers): Router {
  const { router, get, post, postList } = signedInRoutes(services, pages);

  get(PATHS.projects, projectsPage);
  get(PATHS.newProject, newProjectPage);
  postList(PATHS.newProject, newProjectPost(services));
  postList(REPEATS_PATH, repeatsPost(services));
  get(`${PATHS.projects}.csv`, downloadProjects("csv"));
  get(`${PATHS.projects}.json`, downloadProjects("json"));
  get(`${PATHS.projects}/list.csv`, downloadProjectList);
  get(`${PATHS.projects}/:id`, projectPage);
  get(`${PATHS.projects}/:id/edit`, editPage, "index");
  get(`${PATHS.projects}/:id/resubmit`, resubmitPage, "index");
  get(`${PATHS.projects}/:id/urls.csv`, downloadUrls);
  get(`${PATHS.projects}/:id/links.csv`, downloadLinks("csv"));
  get(`${PATHS.projects}/:id/links.json`, downloadLinks("json"));
  get(`${PATHS.projects}/:id/links/:linkId`, linkPage);
  // The report was a page of its own once.
  get(reportPath(":id"), (_, request) => toProject(request));
  get(`${reportPath(":id")}.csv`, downloadReport);
  post(`${PATHS.projects}/:id/edit`, "index", editPost);
  post(`${PATHS.projects}/:id/advance`, "index", advancePost);
  post(`${PATHS.projects}/:id/cancel`, "index", cancelProjectPost);
  post(`${PATHS.projects}/:id/resubmit`, "index", resubmitPost);
  return router;
}

async function toProject(request: SignedInRequest): Promise<void> {
  request.redirect(`${PATHS.projects}/${encodeURIComponent(request.param("id"))}`);
}
