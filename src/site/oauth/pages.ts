import { Router } from "express";
import type { SiteServices, Visits } from "../visit.ts";

export function oauthPages(_services: SiteServices, _visits: Visits): Router {
  return Router();
}
