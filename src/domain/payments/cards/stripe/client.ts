import Stripe from "stripe";
import { SECOND } from "../../../../platform/clock.ts";
import type { StripeSettings } from "../../../../platform/config/payment.ts";

/** A call takes half a minute at most, with its retries. A retry repeats the Idempotency-Key of the call. */
const BOUNDS = { timeout: 8 * SECOND, maxNetworkRetries: 2, telemetry: false } as const;

/** The client of Stripe, or of the fake that PROVIDER_URLS names. */
export function stripeClient({ secretKey, url: standIn }: StripeSettings, bounds: Stripe.StripeConfig = {}): Stripe {
  return new Stripe(secretKey, { ...BOUNDS, ...bounds, ...(standIn === undefined ? {} : addressOf(standIn)) });
}

/** The package has no setting for a path, below which a fake may serve. */
function addressOf(standIn: string): Stripe.StripeConfig {
  const { protocol, hostname, port, pathname } = new URL(standIn);
  const httpClient = Stripe.createNodeHttpClient();
  const request = httpClient.makeRequest.bind(httpClient);
  const prefix = pathname.replace(/\/$/, "");
  httpClient.makeRequest = (host, at, path, ...rest) => request(host, at, `${prefix}${path}`, ...rest);
  const isPlain = protocol === "http:";
  return { host: hostname, port: port || (isPlain ? 80 : 443), protocol: isPlain ? "http" : "https", httpClient };
}
