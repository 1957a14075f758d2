import { Router } from "express";
import type { PageHandlers, WebsiteServices } from "../shell/page-request.ts";
import { COMPONENTS_PATH, componentsPage } from "./components-page.tsx";
import { documentRoutes } from "./document-routes.tsx";
import { pluginRoutes } from "./plugin-routes.ts";

/** What is the same for everybody: the front page, documents, the repository of plugins, and the components of a sandbox. */
export function publicRoutes({ config }: WebsiteServices, { get }: PageHandlers): Router {
  const router = Router();
  router.use(documentRoutes(config));
  router.use(pluginRoutes(config));
  if (config.mode === "sandbox") router.get(COMPONENTS_PATH, get(componentsPage));
  return router;
}
