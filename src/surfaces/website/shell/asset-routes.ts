import { Router } from "express";
import { assetAt, ICON_FILES, icon } from "./assets.ts";

/** Routes of the scripts for browsers and of the pictures, whose paths change with their contents, and of the icons. */
export function assetRoutes(): Router {
  const router = Router();
  router.get("/assets/:file", (req, res, next) => {
    const asset = assetAt(`/assets/${req.params.file}`);
    if (!asset) return next();
    const { body, brotli, mediaType } = asset;
    res.set("Cache-Control", "public, max-age=31536000, immutable").type(mediaType);
    // A worker is its own document, whose policy comes from this response.
    res.set("Content-Security-Policy", "default-src 'none'");
    if (!brotli) return res.send(body);
    res.vary("Accept-Encoding");
    if (req.acceptsEncodings("br", "identity") !== "br") return res.send(body);
    res.set("Content-Encoding", "br").send(brotli);
  });
  for (const path of ICON_FILES) {
    router.get(path, (_req, res) => {
      const { body, mediaType } = icon(path);
      res.set({ "Cache-Control": "public, max-age=86400", "Content-Security-Policy": "default-src 'none'" });
      res.type(mediaType).send(body);
    });
  }
  return router;
}
