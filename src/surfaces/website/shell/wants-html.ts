import type { Request } from "express";

/** Browsers name text/html in Accept. A client that accepts anything is taken for a program. */
export function wantsHtml(req: Request): boolean {
  return /\btext\/html\b/.test(req.get("accept") ?? "") && req.accepts(["html", "json"]) === "html";
}
