import type { DirectSettings } from "../../platform/config/payment.ts";
import { createHttpClient } from "../../platform/http-client/http-client.ts";
import type { Instance } from "../instance.ts";
import type { Check } from "./check.ts";

/** Whether agents can pay directly: what the service looks at when it starts, looked at now. */
export async function checkDirect({ config }: Instance): Promise<Check> {
  const name = "Direct payment";
  if (!config.direct) return { name, ok: true, found: "not taken: the X402 settings are not set" };
  const remedy = "Correct the setting, or look whether the service at its address is up.";
  const heard: string[] = [];
  const note = (_: object, message: string) => void heard.push(message);
  const http = createHttpClient(config);
  try {
    const { loadDirect } = await import("../../domain/payments/direct/open.ts");
    await loadDirect(config.direct, { info: () => undefined, warn: note, error: note }, http);
  } catch (thrown) {
    // Names the setting that does not fit.
    heard.push((thrown as Error).message);
  } finally {
    await http.close();
  }
  return { name, ok: heard.length === 0, found: heard.join("; ") || describe(config.direct), remedy };
}

function describe({ network, payTo, facilitator, confirmations }: DirectSettings): string {
  const by = "url" in facilitator ? "the facilitator" : "this service itself";
  return `open on ${network}, paid to ${payTo} and settled by ${by}, credited after ${confirmations} block${confirmations === 1 ? "" : "s"}`;
}
