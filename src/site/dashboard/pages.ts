import { Router } from "express";
import type { SiteServices, Visits } from "../visit.ts";

export function dashboardPages(_services: SiteServices, _visits: Visits): Router {
  return Router();
}
