import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { newWebhookSecret, signatureHeaders } from "../../../src/domain/webhooks/secret.ts";
import { packageRoot } from "../../../src/platform/package-root.ts";
import { startForeignSite } from "../../support/network/foreign-site.ts";
import { testService } from "../../support/service/service.ts";
import { startBrowser } from "../../support/website/browser.ts";

const service = await testService({ publishUrl: true });
afterAll(() => service.close());
const browse = await startBrowser();
const other = await startForeignSite();

/** What a page loads: the package, bundled for browsers, which fails for a module of Node. */
async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(packageRoot, "packages/client/src/index.ts")],
    bundle: true,
    platform: "browser",
    format: "iife",
    globalName: "beckon",
    minify: true,
    write: false,
  });
  return outputFiles[0]!.text;
}

test("a page of another site calls the service, spends once, and verifies a message of a webhook", async () => {
  const text = await bundled();
  expect(text.length).toBeLessThan(20_000);
  const page = await (await browse()).newPage();
  await page.goto(other.origin);
  await page.evaluate(`${text}; globalThis.beckon = beckon`);
  const { key } = await service.account();
  const call = (code: string) => page.evaluate(`(async () => { ${code} })()`);
  await call(`globalThis.client = beckon.createClient(${JSON.stringify({ url: service.url, credential: key })})`);
  const input = JSON.stringify({ urls: ["https://example.com/"] });
  const options = JSON.stringify({ idempotencyKey: "page" });
  for (const _ of [1, 2]) await call(`await client.submitUrls(${input}, ${options})`);
  expect(await call("return (await client.getAccount()).credits")).toBe(149);
  expect(await call(`return client.getProject({ project_id: "prj_none" }).catch(({ code }) => code)`)).toBe(
    "not_found",
  );

  const secret = newWebhookSecret();
  const body = '{"type":"credits.low","timestamp":"2026-01-01T00:00:00Z","data":{}}';
  const headers = signatureHeaders({ id: "evt_1", at: Date.now(), body }, [secret]);
  const verify = (given: object) =>
    call(
      `return beckon.verifyWebhook(${JSON.stringify({ headers, body, secret, ...given })}).then(({ id }) => id, ({ name }) => name)`,
    );
  expect(await verify({})).toBe("evt_1");
  expect(await verify({ secret: newWebhookSecret() })).toBe("WebhookError");
});
