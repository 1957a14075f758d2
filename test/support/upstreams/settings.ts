import { LOOKUP_PROVIDERS } from "../../../src/indexing/engines/live/lookup/index.ts";
import type { Provider } from "../../../src/indexing/engines/live/selection.ts";
import { SUBMISSION_PROVIDERS } from "../../../src/indexing/engines/live/submit/index.ts";
import { PROVIDER_SETTINGS } from "../../../src/platform/config/provider-settings.ts";
import { newServiceAccount } from "./google.ts";
import { GOOGLE_CLIENT_ID } from "./google-consent.ts";
import type { FakeServer } from "./server.ts";
import type { World } from "./world.ts";

const PROVIDERS: Readonly<Record<string, Provider>> = { ...SUBMISSION_PROVIDERS, ...LOOKUP_PROVIDERS };

/** Settings whose whole value is a credential, with a value that tests recognise by `secret-`. */
const CREDENTIALS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(PROVIDER_SETTINGS)
    .filter(([, row]) => "secret" in row && row.secret === true)
    .map(([name]) => [name, `secret-${name.toLowerCase()}-2f6c`]),
);

/** Every credential that the fakes accept: none may be seen in a log, an error or the database. */
export const SECRETS: readonly string[] = Object.values(CREDENTIALS);

/** The credential of a fake provider; several are joined by a colon, as HTTP's basic authentication does. */
export function secretOf(provider: string): string {
  const { settings } = PROVIDERS[provider]!;
  return settings.map((name) => CREDENTIALS[name]).join(":");
}

/** Makes the fakes accept their credentials. @returns the settings of a service that uses all fakes */
export function settingsFor(world: World, server: FakeServer): Record<string, string> {
  for (const [name, { settings }] of Object.entries(PROVIDERS))
    if (settings.every((setting) => setting in CREDENTIALS)) world.keys.set(name, secretOf(name));
  world.keys.set("google_client", CREDENTIALS.GOOGLE_CLIENT_SECRET!);
  return {
    GOOGLE_CLIENT_ID,
    GOOGLE_SERVICE_ACCOUNT: newServiceAccount(world, `${server.origin}/google/token`),
    ...CREDENTIALS,
    PROVIDER_URLS: providerUrls(server),
  };
}

/** The addresses of the fakes for PROVIDER_URLS. The key file of a service account names the address of Google's tokens. */
export function providerUrls({ urls }: FakeServer): string {
  const named = Object.entries(urls).filter(([name]) => name !== "google");
  return named.map(([name, url]) => `${name}=${url}`).join(",");
}

/**
 * Makes the fake of Stripe accept a key, and send its events to the webhook of a service.
 * @returns the settings of a service that takes cards by it
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
