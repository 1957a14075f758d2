import { z } from "zod";
import { defineOperation } from "../src/contract/operation.ts";
import {
  bing,
  dripDays,
  holdoutPercent,
  mode,
  projectName,
  skipIndexed,
  urlList,
  yandex,
} from "../src/contract/params.ts";
import { presentReceipt, SubmissionReceipt } from "../src/contract/shapes/project.ts";
import { submit } from "../src/contract/submit.ts";
import { acceptUrls } from "../src/domain/projects/accept.ts";
import { CHECK_DAYS } from "../src/platform/check-days.ts";

export default defineOperation({
  name: "submit_urls",
  title: "Submit URLs for indexing",
  description: `Makes an indexing project, to submit pages to Google; its credits are spent at once. Google is checked on day ${CHECK_DAYS.first} and day ${CHECK_DAYS.final}; credits of URLs not indexed by then are returned. estimate_cost tells the price; send an idempotency key when retrying. Follow it with get_project.`,
  access: { kind: "scope", scope: "index", paid: true },
  effect: "spend",
  input: z.object({
    urls: urlList,
    mode,
    name: projectName,
    bing,
    yandex,
    drip_days: dripDays,
    skip_indexed: skipIndexed,
    holdout_percent: holdoutPercent,
  }),
  output: SubmissionReceipt,
  errors: ["no_valid_urls", "too_many_urls", "holdout_not_possible"],
  skill: { tags: ["indexing", "google", "bing", "yandex", "seo"], commands: ["submit {urls}", "index {urls}"] },
  example: { urls: ["https://example.com/", "https://example.com/about"] },
  rest: { method: "POST", path: "/projects", status: 201 },
  toolset: "jobs",
  async run({ urls, drip_days, skip_indexed, holdout_percent, ...request }, ctx) {
    const list = acceptUrls(urls);
    const how = { dripDays: drip_days, skipIndexed: skip_indexed, holdoutPercent: holdout_percent };
    return ctx.commit(async (tx) => {
      const made = await submit(tx, ctx, { ...request, ...how, urls: list.accepted });
      return presentReceipt(made, list, ctx.config);
    });
  },
});
