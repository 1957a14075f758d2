import { Router } from "express";
import { SCRIPTS, script } from "./assets.ts";

/** Routes of the scripts for browsers. Their paths change with their contents. */
export function assetRoutes(): Router {
  const router = Router();
  router.get("/assets/:file", (req, res, next) => {
    const found = SCRIPTS.map(script).find(({ path }) => path === `/assets/${req.params.file}`);
    if (!found) return next();
    res.set("Cache-Control", "public, max-age=31536000, immutable").type("text/javascript");
    // A worker is its own document, whose policy comes from this response.
    res.set("Content-Security-Policy", "default-src 'none'").send(found.text);
  });
  return router;
}
