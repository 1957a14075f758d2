import type { DirectSettings } from "../../config/payment.ts";
import type { Http } from "../../http.ts";
import type { PaymentLog, PaymentParts } from "../open.ts";
import { checked } from "./check.ts";
import type { Direct } from "./direct.ts";
import { openChain } from "./evm.ts";
import type { Facilitator } from "./facilitator.ts";
import { httpFacilitator } from "./facilitator-http.ts";
import { payerSigned } from "./payer-signed.ts";
import { DirectPayments } from "./payments.ts";

/** @throws Error naming the setting that does not fit the chain */
export async function loadDirect(
  settings: DirectSettings,
  log: PaymentLog,
  http: Http,
): Promise<(parts: PaymentParts) => Direct> {
  const chain = openChain(settings, http);
  const facilitator = await facilitatorOf(settings, log, http);
  const domain = await checked({ settings, chain, facilitator, log });
  const parts = { settings, chain, facilitator: payerSigned(facilitator), domain };
  return (more) => new DirectPayments({ ...more, ...parts });
}

async function facilitatorOf(
  { facilitator, ...settings }: DirectSettings,
  log: PaymentLog,
  http: Http,
): Promise<Facilitator> {
  if ("url" in facilitator) return httpFacilitator(facilitator.url, http);
  const { localFacilitator } = await import("./facilitator-local.ts");
  return localFacilitator({ ...settings, ...facilitator }, http, log);
}
