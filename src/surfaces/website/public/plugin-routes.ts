import { type RequestHandler, Router, raw } from "express";
import type { Config } from "../../../platform/config/config.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { advertisement, uploadPack } from "../../install/git-upload-pack.ts";
import { PLUGINS_PATH, pluginRepository } from "../../install/plugin-repository.ts";

/** More than a client sends that asks for all there is. */
const MAX_REQUEST = 65_536;

/** The repository of plugins, which `git clone` reads, and so do the agents that install plugins from repositories. */
export function pluginRoutes(config: Config): Router {
  const repository = pluginRepository(config);
  const router = Router();
  // In a browser, where somebody has pasted it.
  router.get(PLUGINS_PATH, (_req, res) => res.redirect(303, "/docs/install"));
  router.get(`${PLUGINS_PATH}/info/refs`, (req, res) => {
    if (req.query.service !== "git-upload-pack")
      throw new Refusal("not_found", "Only git clone and git fetch work here.");
    res.set("Cache-Control", "no-cache").type("application/x-git-upload-pack-advertisement");
    res.send(Buffer.from(advertisement(repository)));
  });
  const body: RequestHandler = raw({ type: "application/x-git-upload-pack-request", limit: MAX_REQUEST });
  router.post(`${PLUGINS_PATH}/git-upload-pack`, body, (req, res) => {
    const answer = Buffer.isBuffer(req.body) ? uploadPack(repository, req.body.toString("latin1")) : null;
    if (!answer)
      throw new Refusal("invalid_request", "This is no request of git fetch for the head of this repository.");
    res.set("Cache-Control", "no-cache").type("application/x-git-upload-pack-result").send(answer);
  });
  return router;
}
