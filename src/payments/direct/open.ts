import type { DirectSettings } from "../../config/payment.ts";
import type { PaymentLog, PaymentParts } from "../open.ts";
import type { Direct } from "./direct.ts";

/** @throws Error naming the setting that does not fit the chain */
export async function loadDirect(
  _settings: DirectSettings,
  _log: PaymentLog,
): Promise<(parts: PaymentParts) => Direct> {
  throw new Error("not there yet");
}
