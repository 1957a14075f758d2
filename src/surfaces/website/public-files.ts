import { createHash } from "node:crypto";
import { type RequestHandler, Router } from "express";
import type { Clock } from "../../platform/clock.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import type { PublicFile } from "../discovery/index.ts";
import { CORS, preflight } from "../http-server/cors.ts";

const METHODS = ["GET", "HEAD", "OPTIONS"];

/** Headers that a program on another page may read beside the common ones. */
const EXPOSED = `${CORS["Access-Control-Expose-Headers"]}, Link, ETag`;

/** Documents for machines, each at its address and its old ones: for any page to read, and to be kept for a while. */
export function publicFileRoutes(files: readonly PublicFile[], clock: Clock): Router {
  const router = Router();
  for (const file of files) {
    const at = router.route([file.path, ...(file.aliases ?? [])]);
    at.get(serve(file, clock));
    at.options((_req, res) => preflight(res, METHODS, ["A2A-Version", "If-None-Match"]));
    at.all(() => {
      const allowed = METHODS.join(", ");
      throw new Refusal("method_not_allowed", `This address answers ${allowed}.`, {}, { Allow: allowed });
    });
  }
  return router;
}

/** Express answers HEAD by it too. */
function serve({ text, mediaType, vary, link, maxAge = 3600 }: PublicFile, clock: Clock): RequestHandler {
  return (req, res) => {
    const body = typeof text === "string" ? text : text({ now: clock.now(), header: (name) => req.get(name) });
    res.set(CORS).set("Access-Control-Expose-Headers", EXPOSED);
    const tag = `"${hashOf(body)}"`;
    res.set("Cache-Control", `public, max-age=${maxAge}`).set("ETag", tag);
    if (vary) res.vary(vary);
    if (link) res.set("Link", link);
    if (hasIt(req.get("If-None-Match"), tag)) return void res.status(304).end();
    // As bytes, to which Express adds no charset: some media types have no such parameter.
    res.set("Content-Type", mediaType).send(Buffer.from(body));
  };
}

/**
 * RFC 9110 section 13.1.2. Express would ask for more: it answers in full where `Cache-Control: no-cache` stands beside,
 * which the fetch of Node sends along, and which means caches on the way.
 */
function hasIt(wanted: string | undefined, tag: string): boolean {
  const tags = wanted?.split(",").map((one) => one.trim().replace(/^W\//, "")) ?? [];
  return tags.includes(tag) || tags.includes("*");
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
