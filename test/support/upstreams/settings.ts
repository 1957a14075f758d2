import { newServiceAccount } from "./google.ts";
import type { FakeServer } from "./server.ts";
import type { World } from "./world.ts";

/** Credentials of the fakes, each with `secret-` in it: to look for where none may be seen. */
export const SECRETS = {
  bing_webmaster: "bing-secret-2f6c",
  yandex_webmaster: "yandex-secret-81d0",
  speedyindex: "speedyindex-secret-c3a9",
  rapid_url_indexer: "rapid-secret-50be",
  serper: "serper-secret-97f1",
  dataforseo: "fake@example.com:dataforseo-secret-6d24",
  serpapi: "serpapi-secret-b8e3",
} as const;

/** Makes the credentials good in the world. @returns the settings of a service that is to use all fakes */
export function settingsFor(world: World, server: FakeServer): Record<string, string> {
  for (const [provider, secret] of Object.entries(SECRETS)) world.keys.set(provider, secret);
  const [login = "", password = ""] = SECRETS.dataforseo.split(":");
  return {
    GOOGLE_SERVICE_ACCOUNT: newServiceAccount(world, `${server.origin}/google/token`),
    BING_WEBMASTER_KEY: SECRETS.bing_webmaster,
    YANDEX_WEBMASTER_TOKEN: SECRETS.yandex_webmaster,
    SPEEDYINDEX_KEY: SECRETS.speedyindex,
    RAPID_URL_INDEXER_KEY: SECRETS.rapid_url_indexer,
    SERPER_KEY: SECRETS.serper,
    DATAFORSEO_LOGIN: login,
    DATAFORSEO_PASSWORD: password,
    SERPAPI_KEY: SECRETS.serpapi,
    PROVIDER_URLS: Object.entries(server.urls)
      .filter(([name]) => name !== "google")
      .map(([name, url]) => `${name}=${url}`)
      .join(","),
  };
}

/**
 * Makes a key good in the world, and has events sent to the webhook of a service.
 * @returns the settings of a service that is to take cards there
 */
export function stripeSettingsFor(world: World, server: FakeServer, webhook: string | null): Record<string, string> {
  const secret = "whsec_secret_4b1d90";
  world.keys.set("stripe", "sk_test_secret_7d22f1");
  world.stripe.webhook = webhook === null ? null : { url: webhook, secret };
  return {
    STRIPE_SECRET_KEY: "sk_test_secret_7d22f1",
    STRIPE_WEBHOOK_SECRET: secret,
    PROVIDER_URLS: `stripe=${server.urls.stripe}`,
  };
}
