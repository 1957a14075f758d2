import { Router } from "express";
import type { SiteServices, Visits } from "../visit.ts";

export function peoplePages(_services: SiteServices, _visits: Visits): Router {
  return Router();
}
