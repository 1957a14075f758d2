import { expect, test } from "vitest";
import { testService } from "../../support/service/service.ts";

const PATHS = ["/", "/sign-in", "/api/v1/pricing", "/api/v1/account", "/mcp", "/a2a", "/oauth/token", "/nothing"];

test.each([
  ["https://beckon.example", "max-age=31536000"],
  ["http://beckon.test", null],
])("with SITE_URL %s, Strict-Transport-Security is %j on every surface (RFC 6797)", async (siteUrl, expected) => {
  const service = await testService({ config: { siteUrl } });
  for (const path of PATHS) {
    const { headers } = await fetch(`${service.url}${path}`);
    expect([path, headers.get("strict-transport-security")]).toEqual([path, expected]);
  }
  await service.close();
});
