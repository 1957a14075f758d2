import type { Router } from "express";
import { PATHS, REPEATS_PATH, reportPath } from "../shell/addresses.ts";
import type { PageHandlers, WebsiteServices } from "../shell/page-request.ts";
import { signedInRoutes } from "../shell/signed-in-routes.ts";
import { advancePost } from "./advance-clock.tsx";
import { downloadLinks, downloadProjects, downloadReport } from "./downloads.tsx";
import { linkPage } from "./link.tsx";
import { newProjectPage, newProjectPost } from "./new-project/new-project.ts";
import { repeatsPost } from "./new-project/repeats.ts";
import { projectPage } from "./project.tsx";
import { cancelProjectPost } from "./project-cancel.tsx";
import { projectsPage } from "./projects.tsx";
import { reportPage } from "./report.tsx";
import { resubmitPost } from "./resubmit.tsx";

/** Projects, their links and reports, and the form that creates them. Their addresses are part of the API (`dashboard_url`). */
export function projectRoutes(services: WebsiteServices, pages: PageHandlers): Router {
  const { router, get, post } = signedInRoutes(services, pages);

  get(PATHS.projects, projectsPage);
  get(PATHS.newProject, newProjectPage);
  router.post(PATHS.newProject, pages.postList(newProjectPost(services)));
  router.post(REPEATS_PATH, pages.postList(repeatsPost(services)));
  get(`${PATHS.projects}.csv`, downloadProjects("csv"));
  get(`${PATHS.projects}.json`, downloadProjects("json"));
  get(`${PATHS.projects}/:id`, projectPage);
  get(`${PATHS.projects}/:id/links.csv`, downloadLinks("csv"));
  get(`${PATHS.projects}/:id/links.json`, downloadLinks("json"));
  get(`${PATHS.projects}/:id/links/:linkId`, linkPage);
  get(reportPath(":id"), reportPage);
  get(`${reportPath(":id")}.csv`, downloadReport);
  post(`${PATHS.projects}/:id/advance`, "index", advancePost);
  post(`${PATHS.projects}/:id/cancel`, "index", cancelProjectPost);
  post(`${PATHS.projects}/:id/resubmit`, "index", resubmitPost);
  return router;
}
