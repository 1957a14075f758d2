import { expect, test } from "vitest";
import { gapsOf } from "../../../../../src/indexing/engines/live/providers.ts";
import { readConfig } from "../../../../../src/platform/config/config.ts";

const SUBMITS = expect.stringContaining("can submit to Google");
const LOOKS_UP = expect.stringContaining("can look pages up");

test.each<[engines: string, env: NodeJS.ProcessEnv, gaps: unknown[]]>([
  ["live", {}, [SUBMITS, LOOKS_UP]],
  ["live", { SERPER_KEY: "x" }, [SUBMITS]],
  ["live", { SPEEDYINDEX_KEY: "x" }, [LOOKS_UP]],
  ["live", { GOOGLE_SERVICE_ACCOUNT: "{}" }, []],
  ["live", { BING_WEBMASTER_KEY: "x", SERPER_KEY: "x" }, [SUBMITS]],
  ["serper", { SERPER_KEY: "x", SPEEDYINDEX_KEY: "x" }, [SUBMITS]],
  ["indexing_api,serper", { GOOGLE_SERVICE_ACCOUNT: "{}", SERPER_KEY: "x" }, []],
  ["indexnow_bing", {}, [SUBMITS, LOOKS_UP]],
])("ENGINES=%s and %j: the gaps", (ENGINES, env, gaps) => {
  expect(
    gapsOf(
      readConfig({
        SITE_URL: "https://beckon.test",
        SECRETS_KEY: Buffer.alloc(32).toString("base64"),
        MAIL: "file:./mail",
        BECKON_ALLOW_SANDBOX: "payment",
        SIGNUP: "off",
        ENGINES,
        ...env,
      }),
    ),
  ).toEqual(gaps);
});
