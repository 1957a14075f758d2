import { createHash } from "node:crypto";
import { type RequestHandler, Router } from "express";
import type { Clock } from "../../../platform/clock.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import type { PublicFile } from "../../discovery/index.ts";
import { answerPreflight, CORS } from "../../http-server/cors.ts";

const METHODS = ["GET", "HEAD", "OPTIONS"];

/** Headers of the response that scripts of other origins may read. */
const EXPOSED = `${CORS["Access-Control-Expose-Headers"]}, Link, ETag`;

/** Routes of the documents for machines, at their paths and aliases. Any origin may read them, and caches may keep them. */
export function publicFileRoutes(files: readonly PublicFile[], clock: Clock): Router {
  const router = Router();
  for (const file of files) {
    const route = router.route([file.path, ...(file.aliases ?? [])]);
    route.get(serve(file, clock));
    route.options((_req, res) => answerPreflight(res, METHODS, ["A2A-Version", "If-None-Match"]));
    route.all(() => {
      const allowed = METHODS.join(", ");
      throw new Refusal("method_not_allowed", `This address answers ${allowed}.`, {}, { Allow: allowed });
    });
  }
  return router;
}

/** Express calls this handler for HEAD too. */
function serve({ text, mediaType, vary, link, saveAs, maxAge = 3600 }: PublicFile, clock: Clock): RequestHandler {
  return async (req, res) => {
    const body = typeof text === "function" ? await text({ now: clock.now(), header: (name) => req.get(name) }) : text;
    res.set(CORS).set("Access-Control-Expose-Headers", EXPOSED);
    // It is weak because it stays the same however the response is compressed (RFC 9110 section 8.8.3.3).
    const tag = `W/"${hashOf(body)}"`;
    res.set("Cache-Control", `public, max-age=${maxAge}`).set("ETag", tag);
    if (vary) res.vary(vary);
    if (saveAs) res.set("Content-Disposition", `attachment; filename="${saveAs}"`);
    if (link) res.set("Link", link);
    if (matchesETag(req.get("If-None-Match"), tag)) return void res.status(304).end();
    // A Buffer, because Express adds a charset to a string, which some media types do not have.
    res.set("Content-Type", mediaType).send(Buffer.from(body));
  };
}

/**
 * Whether `If-None-Match` names the ETag (RFC 9110 section 13.1.2). Express would also send the whole document whenever the
 * request has `Cache-Control: no-cache`, which Node's fetch adds and which is meant for caches in between.
 */
function matchesETag(header: string | undefined, tag: string): boolean {
  const tags = header?.split(",").map((one) => one.trim()) ?? [];
  return tags.includes(tag) || tags.includes(tag.slice(2)) || tags.includes("*");
}

function hashOf(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
