import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test, vi } from "vitest";
import { readConfig } from "../../../src/platform/config/config.ts";
import { version } from "../../../src/platform/version.ts";
import { clientSpecifier } from "../../../src/surfaces/install/client-package.ts";
import { userOf } from "../../support/client/beckon-client.ts";
import { scratchFolder } from "../../support/service/cli.ts";
import { testService } from "../../support/service/service.ts";

// npm runs.
vi.setConfig({ testTimeout: 120_000 });

const execute = promisify(execFile);
const service = await testService({ publishUrl: true });
afterAll(() => service.close());

/** A user of npm who has installed nothing yet. */
const home = scratchFolder(afterAll);
const npm = {
  PATH: process.env.PATH!,
  HOME: home,
  npm_config_cache: join(home, "cache"),
  npm_config_update_notifier: "false",
};

test("200 /beckon.tgz: the package, with its version in its name", async () => {
  const response = await fetch(`${service.url}/beckon.tgz`);
  expect(response.headers.get("content-disposition")).toBe(`attachment; filename="beckon-client-${version}.tgz"`);
  expect(response.headers.get("content-encoding")).toBeNull();
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(bytes.subarray(0, 2).toString("hex")).toBe("1f8b");
  expect(bytes.length).toBeLessThan(100_000);
});

test("npx runs it in an empty folder, and it calls the service that it came from", async () => {
  const { key } = await service.account({ credits: 7 });
  const npx = async (args: readonly string[], env: object = {}) => {
    const given = ["-y", clientSpecifier(service.config), ...args];
    return (await execute("npx", given, { cwd: scratchFolder(), env: { ...npm, ...env } })).stdout;
  };
  expect(await npx(["--help"])).toMatch(/^ {2}submit +Submit URLs/m);
  expect(await npx(["--version"])).toBe(`${version}\n`);
  expect(JSON.parse(await npx(["credits"], userOf(service.url, key)))).toMatchObject({ account: { credits: 7 } });
});

test("the specifier is the operator's package where one is set, and nobody else's where none is", () => {
  const specifier = (env: object) => clientSpecifier(readConfig({ SITE_URL: "https://beckon.example/", ...env }));
  expect(specifier({})).toBe("https://beckon.example/beckon.tgz");
  expect(specifier({ CLIENT_PACKAGE: "@example/beckon@1.2.3" })).toBe("@example/beckon@1.2.3");
});

test.each(["beckon client", "https://example.com/a.tgz", "../client", "--help", "a; rm -rf /"])(
  "CLIENT_PACKAGE refuses %j",
  (CLIENT_PACKAGE) => {
    expect(() => readConfig({ CLIENT_PACKAGE })).toThrow("CLIENT_PACKAGE: must be the name of an npm package");
  },
);
