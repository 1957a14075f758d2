import { z } from "zod";
import { accountOf } from "../src/contract/context.ts";
import { defineOperation } from "../src/contract/operation.ts";
import { line } from "../src/contract/params.ts";
import { presentSite, Site } from "../src/contract/shapes/site.ts";
import { connect, knownConnections } from "../src/indexing/sites/connect.ts";
import { connectionFinders } from "../src/indexing/sites/finders.ts";
import { hostOf, refuseNonPublic } from "../src/indexing/sites/host.ts";
import { findKeyFile, keyRefusals, rotateKey } from "../src/indexing/sites/replace-key.ts";
import { isReplaced } from "../src/indexing/sites/site-keys.ts";
import { createSite, recordSiteCheck, siteOf } from "../src/indexing/sites/sites.ts";
import { SIZES } from "../src/platform/limits.ts";

export default defineOperation({
  name: "add_site",
  title: "Add or verify a site",
  description:
    "Registers a host as the account's own, so that pages can be sent in its name (IndexNow, Bing, Yandex, Search Console). The first call returns the key file to place on the host; call again once it is there. next_step says what to do. www.example.com and example.com are two hosts.",
  access: { kind: "scope", scope: "index" },
  effect: "change",
  input: z.object({
    host: line(SIZES.hostField).describe("A host such as www.example.com, or a URL on it"),
    rotate_key: z
      .boolean()
      .default(false)
      .describe("true: a new key to verify the host by; the old one counts until the new file is found"),
  }),
  output: Site,
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
    if (!site) {
      return ctx.commit(async (tx) => presentSite(await createSite(tx, { accountId, host, now }), ctx.config));
    }
    if (input.rotate_key && !isReplaced(site)) {
      return ctx.commit(async (tx) => presentSite(await rotateKey(tx, site), ctx.config));
    }
    const keyFile = await findKeyFile(ctx.http, site);
    const finders = keyFile.result === "found" ? connectionFinders(ctx) : [];
    const connections = await connect(finders, host, knownConnections(site));
    return ctx.commit(async (tx) => {
      const row = await recordSiteCheck(tx, site, { keyFile, checkedAt: now, connections });
      const refusedBy = (await keyRefusals(tx, [row])).get(row.id) ?? [];
      return presentSite(row, ctx.config, { result: keyFile.result, refusedBy });
    });
  },
});
