import { directMethodOf } from "../../domain/payments/find-method.ts";
import { createHttpClient } from "../../platform/http-client/http-client.ts";
import type { Instance } from "../instance.ts";
import type { Check } from "./check.ts";

/** Whether agents can pay directly: the checks that the service makes when it starts, made now. */
export async function checkDirect({ config }: Instance): Promise<Check> {
  const name = "Direct payment";
  const method = directMethodOf(config);
  if (!method) return { name, ok: true, found: "not taken: the X402 settings are not set" };
  const remedy = "Correct the setting, or look whether the service at its address is up.";
  const heard: string[] = [];
  const note = (_: object, message: string) => void heard.push(message);
  const http = createHttpClient(config);
  try {
    await method.load(config, { info: () => undefined, warn: note, error: note }, http);
  } catch (thrown) {
    // Names the setting that does not fit.
    heard.push((thrown as Error).message);
  } finally {
    await http.close();
  }
  return { name, ok: heard.length === 0, found: heard.join("; ") || method.describe(config), remedy };
}
