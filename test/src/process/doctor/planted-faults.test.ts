import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { AnchoredClock, DAY, HOUR } from "../../../../src/platform/clock.ts";
import { readConfig } from "../../../../src/platform/config/config.ts";
import { type Check, exitCodeOf, reportOf } from "../../../../src/process/doctor/check.ts";
import { checkClock } from "../../../../src/process/doctor/database.ts";
import { diskCheck } from "../../../../src/process/doctor/disk.ts";
import { checkKeys } from "../../../../src/process/doctor/keys.ts";
import { checkNode } from "../../../../src/process/doctor/machine.ts";
import { checkMail } from "../../../../src/process/doctor/mail.ts";
import { proxyCheck } from "../../../../src/process/doctor/proxies.ts";
import { checkSettings } from "../../../../src/process/doctor/settings.ts";
import { checkStripe } from "../../../../src/process/doctor/stripe.ts";
import { testStore } from "../../../support/database/store.ts";
import { FAKES } from "../../../support/upstreams/index.ts";
import { type FakeServer, startFakes } from "../../../support/upstreams/server.ts";
import { SECRETS, settingsFor, stripeSettingsFor } from "../../../support/upstreams/settings.ts";
import { World } from "../../../support/upstreams/world.ts";

/** The doctor beside planted faults: each is found, by one line, with the remedy that fits it. */

let world: World;
let fakes: FakeServer;
let env: Record<string, string>;
beforeAll(async () => {
  const now = Date.now();
  world = new World(new AnchoredClock({ realAt: now, serviceAt: now, scale: 1 }));
  fakes = await startFakes(world, FAKES);
  const { PROVIDER_URLS: urls, ...keys } = settingsFor(world, fakes);
  const { PROVIDER_URLS: stripe, ...card } = stripeSettingsFor(world, fakes, "https://beckon.example/webhooks/stripe");
  const live = { ENGINES: "live", SITE_URL: "https://beckon.example", MAIL: "file:/tmp/unused" };
  const SECRETS_KEY = Buffer.alloc(32, 7).toString("base64");
  env = { ...live, SECRETS_KEY, BECKON_ALLOW_SANDBOX: "payment", ...keys, ...card, PROVIDER_URLS: `${urls},${stripe}` };
});
afterEach(() => {
  world.heal();
  world.credits.clear();
});
afterAll(() => fakes.close());

const clockNow = () => new AnchoredClock({ realAt: Date.now(), serviceAt: Date.now(), scale: 1 });
const config = (changed: Record<string, string> = {}) => readConfig({ ...env, ...changed });
const keys = async (changed: Record<string, string> = {}) => checkKeys(config(changed));
const named = (checks: readonly Check[], name: string) => checks.find((check) => check.name === name)!;
const keyOf = async (provider: string, changed: Record<string, string> = {}) =>
  named(await keys(changed), `Key of ${provider}`);

const HELD = [
  "search_console",
  "bing_webmaster",
  "yandex_webmaster",
  "speedyindex",
  "rapid_url_indexer",
  "serper",
  "dataforseo",
  "serpapi",
  "google_oauth",
] as const;

test("beside no fault: every key is accepted, the clocks agree, and no call has spent or sent anything", async () => {
  const checks = await keys();
  expect(checks.map(({ name }) => name).sort()).toEqual(
    [...HELD.map((one) => `Key of ${one}`), "Clock of others"].sort(),
  );
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(await checkStripe(config())).toMatchObject([
    { ok: true, found: expect.stringContaining("events are sent to") },
  ]);
  expect(fakes.calls.filter(({ method, path }) => method === "POST" && path !== "/token")).toEqual([]);
  expect(exitCodeOf(checks.map(reportOf))).toBe(0);
});

const SETTING: Readonly<Record<string, string>> = {
  bing_webmaster: "BING_WEBMASTER_KEY",
  yandex_webmaster: "YANDEX_WEBMASTER_TOKEN",
  speedyindex: "SPEEDYINDEX_KEY",
  rapid_url_indexer: "RAPID_URL_INDEXER_KEY",
  serper: "SERPER_KEY",
  dataforseo: "DATAFORSEO_PASSWORD",
  serpapi: "SERPAPI_KEY",
  google_oauth: "GOOGLE_CLIENT_SECRET",
};

type Fault = readonly [
  what: string,
  plant: () => Promise<Check> | Check,
  level: "warning" | "error",
  found: RegExp,
  remedy: RegExp,
];

const NOW = 1_800_000_000_000;
const GB = 1024 ** 3;
/** The free space of a disk, day by day until now. */
const daily = (...free: number[]) => free.map((one, day) => ({ at: NOW - (free.length - day) * DAY, free: one * GB }));
const clockOff = (ms: number) => {
  const headers = { Date: new Date(Date.now() - ms).toUTCString() };
  for (const name of HELD) world.fail(name, { answer: { status: 503, headers }, afterActing: true });
};

const FAULTS: readonly Fault[] = [
  ...Object.entries(SETTING).map(
    ([provider, setting]): Fault => [
      `a key of ${provider} that does not exist`,
      () => keyOf(provider, { [setting]: "made-up" }),
      "error",
      /^refused$/,
      new RegExp(`^Make a new key at ${provider}, put it into .*${setting}`),
    ],
  ),
  [
    "a service account whose key Google has revoked",
    () => {
      world.fail("google", { answer: { status: 400, body: { error: "invalid_grant" } }, path: "/token" });
      return keyOf("search_console", { GOOGLE_SERVICE_ACCOUNT: env.GOOGLE_SERVICE_ACCOUNT! });
    },
    "error",
    /^refused$/,
    /into GOOGLE_SERVICE_ACCOUNT/,
  ],
  ...(["serper", "serpapi", "dataforseo", "speedyindex", "rapid_url_indexer"] as const).map(
    (provider): Fault => [
      `an account of ${provider} without credits`,
      () => {
        world.credits.set(provider, 0);
        return keyOf(provider);
      },
      "warning",
      /nothing is left to spend/,
      /^Top up the account/,
    ],
  ),
  [
    "a provider that cannot be reached",
    () => keyOf("serper", { PROVIDER_URLS: env.PROVIDER_URLS!.replace(/serper=[^,]+/, "serper=http://127.0.0.1:1") }),
    "error",
    /cannot be reached/,
    /DNS, firewall, or its address in PROVIDER_URLS/,
  ],
  [
    "a provider that has a bad day",
    () => {
      world.fail("serper", { answer: { status: 500 } });
      return keyOf("serper");
    },
    "warning",
    /error of its own/,
    /^Nothing to do/,
  ],
  [
    "a page of a proxy in place of a provider",
    () => {
      world.fail("serper", { answer: { status: 200, body: "<html>log in to the network</html>" } });
      return keyOf("serper");
    },
    "error",
    /makes no sense/,
    /whether a proxy answers in its place/,
  ],
  [
    "a clock that is an hour ahead",
    async () => {
      clockOff(HOUR);
      return named(await keys(), "Clock of others");
    },
    "error",
    /clock is 3,[56]\d\d s ahead of the clocks of providers/,
    /NTP/,
  ],
  [
    "a clock that is a day behind",
    async () => {
      clockOff(-DAY);
      return named(await keys(), "Clock of others");
    },
    "error",
    /behind the clocks of providers/,
    /NTP/,
  ],
  [
    "a clock that has gone back by a day",
    async () => {
      const store = await testStore();
      const { db } = store;
      await db.tx((tx) => tx.q.insert(tx.t.ticks).values({ job: "x", slot: 1, node: "a", at: Date.now() + DAY }));
      const found = await checkClock({ db, clock: clockNow(), config: config() });
      await store.close();
      return found;
    },
    "error",
    /the clock has gone back/,
    /^Set the clock of this machine right/,
  ],
  [
    "a key of Stripe that was rolled",
    async () => (await checkStripe(config({ STRIPE_SECRET_KEY: "sk_test_rolled" })))[0]!,
    "error",
    /the key is refused/,
    /^Copy the key from Stripe's dashboard .* STRIPE_SECRET_KEY/,
  ],
  [
    "a restricted key of Stripe without the permission",
    async () => {
      const error = { type: "invalid_request_error", message: "secret-no" };
      world.fail("stripe", { answer: { status: 403, body: { error } }, path: "/v1/checkout" });
      return (await checkStripe(config()))[0]!;
    },
    "error",
    /may not make payment pages/,
    /write Checkout Sessions/,
  ],
  [
    "a webhook endpoint of another address",
    async () => (await checkStripe(config({ SITE_URL: "https://www.beckon.example" })))[0]!,
    "error",
    /no event is sent to https:\/\/www\.beckon\.example\/webhooks\/stripe/,
    /^Add the webhook endpoint .* STRIPE_WEBHOOK_SECRET/,
  ],
  [
    "a webhook endpoint that Stripe has switched off",
    async () => {
      const { webhook } = world.stripe;
      world.stripe.webhook = { ...webhook!, status: "disabled" };
      const [found] = await checkStripe(config());
      world.stripe.webhook = webhook;
      return found!;
    },
    "error",
    /has switched off the webhook endpoint/,
    /^Enable it in Stripe's dashboard/,
  ],
  [
    "Stripe that cannot be reached",
    async () => {
      world.fail("stripe", { answer: "drop" });
      return (await checkStripe(config()))[0]!;
    },
    "error",
    /cannot be reached/,
    /api\.stripe\.com/,
  ],
  [
    "a mail server that is down",
    () => checkMail({ ...config(), mail: "smtp://beckon:secret-mail@127.0.0.1:1" }),
    "error",
    /127\.0\.0\.1:1 cannot be reached/,
    /host, port and login in MAIL/,
  ],
  [
    "a disk that is nearly full",
    () => diskCheck({ free: 0.1 * GB, total: 100 * GB }, [], NOW),
    "error",
    /^102 MB of 100 GB are free$/,
    /^Make room on the disk/,
  ],
  [
    "a disk that fills slowly, by a gigabyte a day",
    () => diskCheck({ free: 5 * GB, total: 100 * GB }, daily(12, 11, 10, 9, 8, 7, 6), NOW),
    "warning",
    /at this rate it is full in 5 days$/,
    /^Make room on the disk/,
  ],
  [
    "a disk that fills slowly, and on which a large file came and went",
    () => diskCheck({ free: 5 * GB, total: 100 * GB }, daily(12, 11, 10, 2, 8, 7, 6), NOW),
    "warning",
    /at this rate it is full in \d+ days$/,
    /^Make room on the disk/,
  ],
  [
    "a proxy that TRUST_PROXY does not count",
    () =>
      proxyCheck(
        0,
        new Map([
          [1, 900],
          [2, 3],
        ]),
      ),
    "error",
    /^all 903 requests came through 1 proxy, and TRUST_PROXY is 0/,
    /set TRUST_PROXY=1/,
  ],
  [
    "callers that go around the proxy",
    () =>
      proxyCheck(
        1,
        new Map([
          [0, 4],
          [1, 900],
        ]),
      ),
    "error",
    /^4 of 904 requests came through 0 proxies, and TRUST_PROXY is 1/,
    /^Let nobody reach HOST and PORT but your proxies/,
  ],
  ["an old Node.js", () => checkNode("20.20.2"), "error", /^20\.20\.2$/, /Node/],
  [
    "a misspelt setting",
    () =>
      checkSettings(
        readConfig({ SERPER_KYE: "x", PAYMENT: "off", TRUST_PROXIES: "1", HOSTNAME: "a", MAILTO: "b", PATH: "/bin" }),
      ),
    "warning",
    /^not read: SERPER_KYE, which is probably SERPER_KEY; PAYMENT, which is probably PAYMENTS; TRUST_PROXIES, which is probably TRUST_PROXY$/,
    /docs\/settings\.md/,
  ],
];

describe(`the doctor finds ${FAULTS.length} planted faults`, () => {
  test("law: there are 20 or more of them", () => expect(FAULTS.length).toBeGreaterThanOrEqual(20));

  test.each(FAULTS)("%s", async (_, plant, level, found, remedy) => {
    const report = reportOf(await plant());
    expect(report).toMatchObject({ ok: false, severity: level });
    expect(report.found).toMatch(found);
    expect(report.remedy).toMatch(remedy);
    expect(exitCodeOf([report])).toBe(level === "error" ? 1 : 3);
    for (const secret of [...SECRETS, "made-up", "secret-"]) expect(JSON.stringify(report)).not.toContain(secret);
  });
});

describe("what is no fault is not reported", () => {
  test.each<[string, () => Check | Promise<Check>]>([
    ["a disk that empties", () => diskCheck({ free: 5 * GB, total: 100 * GB }, daily(1, 2, 3, 4), NOW)],
    ["a disk that fills over years", () => diskCheck({ free: 50 * GB, total: 100 * GB }, daily(50.02, 50.01), NOW)],
    ["an hour of samples", () => diskCheck({ free: GB, total: 100 * GB }, [{ at: NOW - HOUR, free: 2 * GB }], NOW)],
    [
      "samples from a clock that was ahead",
      () => diskCheck({ free: GB, total: 100 * GB }, [{ at: NOW + DAY, free: 9 * GB }], NOW),
    ],
    [
      "callers who forge entries behind the right proxy",
      () =>
        proxyCheck(
          1,
          new Map([
            [1, 9],
            [3, 2],
          ]),
        ),
    ],
    ["nothing that has arrived", () => proxyCheck(2, new Map())],
    [
      "settings, and variables of other programs",
      () =>
        checkSettings(
          readConfig({
            PORT: "1",
            HOSTNAME: "a",
            LANG: "C",
            MAILTO: "b",
            SHELL: "s",
            NODE_ENV: "p",
            LOGNAME: "x",
            HOME: "/",
          }),
        ),
    ],
  ])("%s", async (_, plant) => {
    expect(await plant()).toMatchObject({ ok: true });
  });
});
