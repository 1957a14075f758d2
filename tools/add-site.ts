import { z } from "zod";
import type { Tx } from "../db/engine.ts";
import { accountOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { line } from "../src/contract/params.ts";
import { recordChange } from "../src/contract/record-change.ts";
import { presentSite, Site } from "../src/contract/shapes/site.ts";
import { rotatePushSecret } from "../src/domain/credentials/push-secrets.ts";
import { connect, knownConnections } from "../src/indexing/sites/connect.ts";
import { connectionFinders } from "../src/indexing/sites/finders.ts";
import { hostOf, refuseNonPublic } from "../src/indexing/sites/host.ts";
import type { SiteFindings } from "../src/indexing/sites/next-step.ts";
import { findKeyFile, keyRefusals, rotateKey } from "../src/indexing/sites/replace-key.ts";
import { isReplaced } from "../src/indexing/sites/site-keys.ts";
import { createSite, recordSiteCheck, type SiteRow, siteOf } from "../src/indexing/sites/sites.ts";
import { SIZES } from "../src/platform/sizes.ts";

type SiteChange = "site_added" | "site_verified" | "site_key_replaced" | "push_secret_replaced";

export default defineOperation({
  name: "add_site",
  title: "Add or verify a site",
  description:
    "Registers a host as the account's own, so that pages can be sent in its name. The first call returns the key file to place there; next_step says what to do.",
  access: { kind: "scope", scope: "index" },
  effect: "change",
  input: z.object({
    host: line(SIZES.hostField).describe("Such as www.example.com, or a URL on it"),
    rotate_key: z.boolean().default(false).describe("true: a new key; the old one counts until its file is found"),
    rotate_push_secret: z.boolean().default(false).describe("true: a new secret for push_url, which takes access logs"),
  }),
  output: Site.extend({
    push_secret: z.string().nullable().describe("Shown once"),
  }).meta({ id: "SiteWithSecret" }),
  skill: { tags: ["sites", "indexnow"], commands: ["add site {host}"] },
  example: { host: "example.com" },
  rest: { method: "POST", path: "/sites", status: 201 },
  toolset: "sites",
  limits: ["site_checks"],
  async run(input, ctx) {
    const host = hostOf(input.host);
    refuseNonPublic(host, ctx.config.fetchAllowCidrs);
    const [accountId, now] = [accountOf(ctx), ctx.clock.now()];
    const site = await siteOf(ctx.db, accountId, host);
    const record = (tx: Tx, kind: SiteChange) => recordChange(tx, ctx, { kind, subject: host });
    const answer = async (tx: Tx, row: SiteRow, findings?: SiteFindings) => {
      const isRotated = input.rotate_push_secret && row.status === "verified";
      if (isRotated) await record(tx, "push_secret_replaced");
      const push_secret = isRotated ? await rotatePushSecret(tx, row.id) : null;
      const now = isRotated ? (await siteOf(tx, accountId, host))! : row;
      const isEarly = input.rotate_push_secret && !isRotated;
      return { ...presentSite(now, ctx.config, { ...findings, isEarly }), push_secret };
    };
    if (!site) {
      return ctx.commit(async (tx) => {
        const created = await createSite(tx, { accountId, host, now });
        await record(tx, "site_added");
        return answer(tx, created);
      });
    }
    if (input.rotate_key && !isReplaced(site)) {
      return ctx.commit(async (tx) => {
        await record(tx, "site_key_replaced");
        return answer(tx, await rotateKey(tx, site));
      });
    }
    const keyFile = await findKeyFile(ctx.http, site);
    const isVerified = keyFile.result === "found" || site.verifiedBy === "property";
    const finders = isVerified ? connectionFinders(ctx) : [];
    const connections = isVerified ? await connect(finders, host, knownConnections(site)) : {};
    return ctx.commit(async (tx) => {
      const row = await recordSiteCheck(tx, site, { keyFile, checkedAt: now, connections });
      if (row.status === "verified" && site.status !== "verified") await record(tx, "site_verified");
      const refusedBy = (await keyRefusals(tx, [row])).get(row.id) ?? [];
      return answer(tx, row, { result: keyFile.result, refusedBy });
    });
  },
});
