import { z } from "zod";
import { accountOf, callerOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { id, line } from "../src/contract/params.ts";
import { invalidInput } from "../src/contract/parse-input.ts";
import { presentShare, Share, shareUrl } from "../src/contract/shapes/share.ts";
import { coverageOf } from "../src/domain/coverage/read.ts";
import { requireRole } from "../src/domain/credentials/may-act.ts";
import { findProject } from "../src/domain/projects/find.ts";
import { createShare } from "../src/domain/shares/shares.ts";
import { hostOf } from "../src/indexing/sites/host.ts";
import { Refusal } from "../src/platform/errors/errors.ts";
import { SIZES } from "../src/platform/sizes.ts";

export default defineOperation({
  name: "share_results",
  title: "Share results by a link",
  description:
    "Makes a read-only link to the results of a project, or of a host: how many pages are in Google, since when, and why others are not. Whoever has it needs no account, and sees nothing else. url is in this answer alone. A key, app or agent needs the approval of a person for it.",
  access: { kind: "scope", scope: "index", besides: "read" },
  effect: "change",
  input: z.object({
    project_id: id.optional().describe("prj_…; this or host"),
    host: line(SIZES.hostField).optional().describe("Such as www.example.com"),
    title: line(SIZES.share.title).optional().describe("Default: the name of the project, or the host"),
    from: line(SIZES.share.from).optional().describe("Who shows it, such as your agency; default: nobody is named"),
    expires_in_days: z.number().int().min(1).max(SIZES.share.days).default(30).describe("Days until it ends"),
  }),
  output: Share,
  errors: ["not_found"],
  skill: { tags: ["projects", "sites", "share", "report"] },
  example: { project_id: "prj_0123456789abc", title: "Spring pages", from: "Example Agency" },
  rest: { method: "POST", path: "/shares", status: 201 },
  toolset: "results",
  asksApproval: ({ title, project_id, host, expires_at }) => ({
    name: title,
    description: `Anybody who has the link reads the results of ${project_id ?? host} until ${expires_at.slice(0, 10)}`,
  }),
  async run({ project_id, host: typed, title, from = "", expires_in_days: days }, ctx) {
    const [caller, now] = [callerOf(ctx), ctx.clock.now()];
    if (caller.credential.type === "session") requireRole(caller.role!, "share");
    if ((project_id === undefined) === (typed === undefined))
      throw invalidInput([
        { path: project_id === undefined ? "project_id" : "host", message: "give project_id or host" },
      ]);
    const host = typed === undefined ? null : hostOf(typed);
    return ctx.commit(async (tx) => {
      const name = host ?? (await findProject(tx, accountOf(ctx), project_id!)).name;
      if (host !== null) {
        const wanted = { host, days: 1, limit: 1, offset: 0, now: ctx.clock.service() };
        const { hosts } = await coverageOf(tx, caller.accountId, wanted);
        if (hosts.length === 0)
          throw new Refusal("not_found", "The account has no pages of this host. get_coverage lists its hosts.");
      }
      const subject = { projectId: project_id ?? null, host, title: title ?? name, from, days };
      const { row, secret } = await createShare(tx, { caller, ...subject, now });
      return presentShare(row, shareUrl(ctx.config, secret));
    });
  },
});
