import { afterAll } from "vitest";
import { readConfig } from "../../../src/platform/config/config.ts";
import { type TestServiceOptions, testService } from "../service/service.ts";
import { startFakes } from "../upstreams/server.ts";
import { stripeSettingsFor } from "../upstreams/settings.ts";
import { stripe } from "../upstreams/stripe.ts";
import type { StripeEvent } from "../upstreams/stripe-account.ts";
import { World } from "../upstreams/world.ts";

/** A service that takes cards by the fake Stripe. Events are delivered when a test does so. */
export async function stripeService({ isTaxed = false, ...parts }: TestServiceOptions & { isTaxed?: boolean } = {}) {
  // The account uses the clock of the service, which is created after it.
  const clock = { now: () => service.clock.now(), service: () => service.clock.service() };
  const world = new World(clock);
  const fakes = await startFakes(world, [stripe]);
  const tax = { STRIPE_TAX: isTaxed ? "on" : "off" };
  const config = readConfig({ SITE_URL: "http://beckon.test", ...tax, ...stripeSettingsFor(world, fakes, null) });
  const service = await testService({ ...parts, config: { ...config, ...parts.config } });
  afterAll(async () => {
    await service.close();
    await fakes.close();
  });
  const webhook = { url: `${service.url}/webhooks/stripe`, secret: config.webhookSecret! };
  return {
    service,
    world,
    account: world.stripe,
    /** Requests to Stripe, in order. */
    calls: fakes.calls,
    deliver: (event: StripeEvent) => world.stripe.deliver(event, webhook),
  };
}
