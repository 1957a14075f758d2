import { Router } from "express";
import { accountRoutes } from "./account/routes.ts";
import { agentRoutes } from "./agents/routes.ts";
import { creditRoutes } from "./credits/routes.ts";
import { overviewRoutes } from "./overview/routes.ts";
import { projectRoutes } from "./projects/routes.ts";
import { publicRoutes } from "./public/routes.ts";
import { shareRoutes } from "./shares/routes.ts";
import type { PageHandlers, WebsiteServices } from "./shell/page-request.ts";
import { signInRoutes } from "./sign-in/routes.ts";
import { siteRoutes } from "./sites/routes.ts";
import { tryRoutes } from "./try/routes.ts";

/** The rooms of the website that answer requests, each with its own routes. No path belongs to two of them. */
const ROOMS = [
  publicRoutes,
  tryRoutes,
  signInRoutes,
  overviewRoutes,
  siteRoutes,
  projectRoutes,
  shareRoutes,
  creditRoutes,
  agentRoutes,
  accountRoutes,
];

/** The pages of every room. */
export function pageRoutes(services: WebsiteServices, pages: PageHandlers): Router {
  const router = Router();
  for (const routesOf of ROOMS) router.use(routesOf(services, pages));
  return router;
}
