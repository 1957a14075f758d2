import compression from "compression";
import type { Request, RequestHandler, Response } from "express";

/**
 * Compresses what the website sends, by brotli or gzip. Two kinds of response are left as they are, since the length of a
 * compressed page that holds a secret and a text of a stranger's choice gives the secret away letter by letter (BREACH,
 * breachattack.com): a page that shows a secret, which is marked `no-transform`, and a page for one visitor that another
 * site asked for.
 */
export function compressResponses(): RequestHandler {
  const compress = compression({ filter: (req, res) => mayCompress(req, res) && compression.filter(req, res) });
  return (req, res, next) => {
    // Also of answers that have no body, such as 304.
    res.vary("Accept-Encoding");
    compress(req, res, next);
  };
}

/** Browsers say in Sec-Fetch-Site whether one of our pages, the user or another site asked (w3.org/TR/fetch-metadata). */
function mayCompress(req: Request, res: Response): boolean {
  const site = req.get("Sec-Fetch-Site") ?? "none";
  return site === "none" || site === "same-origin" || /\bpublic\b/.test(String(res.getHeader("Cache-Control")));
}
