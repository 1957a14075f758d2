import express, { type RequestHandler } from "express";
import { type FormPost, type Parts, pageRequestOf } from "./page-request.ts";
import { only, refuseCrossSite, valuesIn } from "./sent-values.ts";

/** A list of up to 10,000 short lines; longer ones the script cuts, and the browser keeps. */
const LIMIT = "256kb";

/**
 * A form without a token, on a page that is the same for everybody. It does nothing in anybody's name, and other sites cannot
 * send it.
 */
export function openForm(services: Parts, handle: (post: FormPost) => Promise<void>): readonly RequestHandler[] {
  const siteUrl = new URL(services.config.siteUrl);
  return [
    express.urlencoded({ extended: false, inflate: false, limit: LIMIT, parameterLimit: 20 }),
    async (req, res) => {
      refuseCrossSite(req, siteUrl);
      const request = await pageRequestOf(services, req, res, "own");
      const fields = (name: string) => valuesIn(req.body, name);
      await handle({ ...request, fields, field: (name) => only(fields(name), name) });
      await request.finish();
    },
  ];
}
