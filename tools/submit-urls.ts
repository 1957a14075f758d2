import { z } from "zod";
import { spenderOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { bing, dripDays, mode, projectName, skipIndexed, urlList, yandex } from "../src/contract/params.ts";
import { presentReceipt, Receipt } from "../src/contract/shapes/project.ts";
import { acceptUrls } from "../src/domain/projects/accept.ts";
import { createProject } from "../src/domain/projects/create.ts";
import { CHECK_DAYS } from "../src/platform/check-days.ts";

export default defineOperation({
  name: "submit_urls",
  title: "Submit URLs for indexing",
  description: `Makes an indexing project, to get pages into Google; its credits are spent at once. The URLs are sent to Google, and to Bing and Yandex unless switched off; Google is checked on day ${CHECK_DAYS.first} and day ${CHECK_DAYS.final}, and the credits of URLs that it has not indexed by then are returned. estimate_cost tells the price; send an idempotency key when retrying. Follow it with get_project.`,
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
  }),
  output: Receipt,
  errors: ["no_valid_urls", "too_many_urls"],
  skill: { tags: ["indexing", "google", "bing", "yandex", "seo"], commands: ["submit {urls}", "index {urls}"] },
  example: { urls: ["https://example.com/", "https://example.com/about"] },
  rest: { method: "POST", path: "/projects", status: 201 },
  toolset: "jobs",
  async run({ urls, mode, name, bing, yandex, drip_days, skip_indexed }, ctx) {
    const list = acceptUrls(urls);
    const times = { now: ctx.clock.now(), service: ctx.clock.service() };
    return ctx.commit(async (tx) => {
      const draft = {
        mode,
        name,
        bing,
        yandex,
        dripDays: drip_days,
        skipIndexed: skip_indexed,
        urls: list.accepted,
        preflight: ctx.config.preflight,
      };
      const made = await createProject(tx, { kind: "index", ...spenderOf(ctx), ...draft, ...times });
      return presentReceipt(made, list, ctx.config);
    });
  },
});
