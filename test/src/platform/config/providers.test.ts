import { expect, test } from "vitest";
import { LOOKUP_PROVIDERS } from "../../../../src/indexing/engines/live/lookup/index.ts";
import { SUBMISSION_PROVIDERS } from "../../../../src/indexing/engines/live/submit/index.ts";
import { AnchoredClock } from "../../../../src/platform/clock.ts";
import { readConfig } from "../../../../src/platform/config/config.ts";
import { CALLED_NAMES, NEEDED_BY, PROVIDER_NAMES } from "../../../../src/platform/config/provider-names.ts";
import { FAKES } from "../../../support/upstreams/index.ts";
import { World } from "../../../support/upstreams/world.ts";

const LIVE = {
  ENGINES: "live",
  SITE_URL: "https://beckon.example",
  MAIL: "smtps://mail.example",
  SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
  STRIPE_SECRET_KEY: "sk_live_x",
  STRIPE_WEBHOOK_SECRET: "whsec_x",
};

const PROVIDERS = { ...SUBMISSION_PROVIDERS, ...LOOKUP_PROVIDERS };

test("law: the settings know every provider, and what it needs", () => {
  const needed = Object.entries(PROVIDERS).map(([name, { settings }]) => [name, [...settings].sort()] as const);
  expect(Object.fromEntries([...NEEDED_BY].map(([name, settings]) => [name, [...settings].sort()]))).toEqual(
    Object.fromEntries(needed),
  );
});

test("law: PROVIDER_URLS takes the name of everything that is called", () => {
  const world = new World(new AnchoredClock({ realAt: 0, serviceAt: 0, scale: 1 }));
  const mounts = FAKES.flatMap((fake) => Object.keys(fake(world)));
  // The key file of a service account names the address of Google's tokens.
  expect(mounts.filter((name) => !CALLED_NAMES.includes(name))).toEqual(["google"]);
});

test.each([
  ["sandbx", 'must name sandbox, live, indexnow_bing, .*, not "sandbx"\\. Did you mean sandbox\\?'],
  ["serper,google", 'not "google"'],
  ["constructor", 'not "constructor"'],
  ["sandbox,serper", "must be sandbox alone, live alone, or names"],
  ["serper,live", "must be sandbox alone, live alone, or names"],
  [",", "must name an engine"],
])("ENGINES=%s is refused, also in a sandbox", (ENGINES, message) => {
  expect(() => readConfig({ ENGINES })).toThrow(new RegExp(`^Invalid settings:\n {2}ENGINES: .*${message}`));
});

test.each(PROVIDER_NAMES)("ENGINES=%s without its setting is refused, and names the setting", (name) => {
  const settings = NEEDED_BY.get(name)!;
  const off = settings.includes("INDEXNOW") ? { INDEXNOW: "off" } : {};
  expect(() => readConfig({ ...LIVE, ...off, ENGINES: name })).toThrow(
    `ENGINES names ${name}, which needs ${settings.join(" and ")}`,
  );
});

test.each([
  ["PROVIDER_BUDGETS", "serperr=5", /must name .*, not "serperr"\. Did you mean serper\?/],
  ["PROVIDER_PRICES", "stripe=5", /must name .*, not "stripe"/],
  ["PROVIDER_URLS", "serp=http://127.0.0.1:1", /must name .*, not "serp"/],
  ["PROVIDER_BUDGETS", "foo", /must be NAME=VALUE, comma-separated/],
  ["PROVIDER_PRICES", "serper", /must be NAME=VALUE, comma-separated/],
  ["PROVIDER_URLS", "http", /must be NAME=VALUE, comma-separated/],
])("%s=%s is refused", (setting, value, message) => {
  expect(() => readConfig({ [setting]: value })).toThrow(message);
});

test.each([
  ["DATAFORSEO_LOGIN", "DATAFORSEO_PASSWORD"],
  ["DATAFORSEO_PASSWORD", "DATAFORSEO_LOGIN"],
  ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
])("%s without %s is refused", (set, missing) => {
  expect(() => readConfig({ ...LIVE, [set]: "k" })).toThrow(`${missing}: missing, and ${set} is of no use without it`);
});
