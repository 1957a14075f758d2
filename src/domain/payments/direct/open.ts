import type { DirectSettings } from "../../../platform/config/payment.ts";
import type { HttpClient } from "../../../platform/http-client/http-client.ts";
import type { PaymentDeps, StartDeps } from "../orders/deps.ts";
import { chainOf, openNodes } from "./chain/evm.ts";
import { nodeProblems } from "./chain/node-health.ts";
import type { DirectPayments } from "./direct-payments.ts";
import { httpFacilitator } from "./facilitator/facilitator-http.ts";
import { requirePayerSignature } from "./facilitator/payer-signature.ts";
import { storedCheckpoint } from "./settlement/checkpoint.ts";
import { checkSettings } from "./settlement/startup-check.ts";
import { X402Payments } from "./x402-payments.ts";

/** @throws Error naming the setting that does not fit the chain */
export async function loadDirect(
  settings: DirectSettings,
  { db, log }: StartDeps,
  http: HttpClient,
): Promise<(parts: PaymentDeps) => DirectPayments> {
  const nodes = openNodes(settings, http);
  const chain = chainOf(nodes);
  const facilitator = httpFacilitator(settings.facilitatorUrl, http);
  const checkpoint = await storedCheckpoint(db, settings.network);
  const domain = await checkSettings({ settings, chain, facilitator, checkpoint, log });
  if (nodes.length > 1) for (const problem of await nodeProblems(nodes, checkpoint)) log.warn({}, problem);
  const parts = { settings, chain, facilitator: requirePayerSignature(facilitator), domain };
  return (more) => new X402Payments({ ...more, ...parts });
}
