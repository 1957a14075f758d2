import { z } from "zod";
import { spenderOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { projectName, urlList } from "../src/contract/params.ts";
import { presentReceipt, Receipt } from "../src/contract/shapes/project.ts";
import { acceptUrls } from "../src/domain/projects/accept.ts";
import { createProject } from "../src/domain/projects/create.ts";

export default defineOperation({
  name: "check_urls",
  title: "Check URLs in Google",
  description:
    "Looks whether Google has each URL, and sends nothing. One credit covers 10 URLs; credits for URLs not checked within 48 hours are returned.",
  access: { kind: "scope", scope: "index", paid: true },
  effect: "spend",
  input: z.object({ urls: urlList, name: projectName }),
  output: Receipt,
  errors: ["no_valid_urls", "too_many_urls"],
  skill: { tags: ["index-check", "google", "seo"], commands: ["check {urls}"] },
  example: { urls: ["https://example.com/", "https://example.com/about"] },
  rest: { method: "POST", path: "/checks", status: 201 },
  toolset: "jobs",
  async run({ urls, name }, ctx) {
    const list = acceptUrls(urls);
    const times = { now: ctx.clock.now(), service: ctx.clock.service() };
    return ctx.commit(async (tx) => {
      const draft = { name, urls: list.accepted };
      const made = await createProject(tx, { kind: "check", ...spenderOf(ctx), ...draft, ...times });
      return presentReceipt(made, list, ctx.config);
    });
  },
});
