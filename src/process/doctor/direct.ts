import { directMethodOf } from "../../domain/payments/find-method.ts";
import { createHttpClient } from "../../platform/http-client/http-client.ts";
import type { Instance } from "../instance.ts";
import type { Check } from "./check.ts";

/** Whether agents can pay directly. The checks are the same as at the start of the service. */
export async function checkDirect({ config, db }: Instance): Promise<Check> {
  const name = "Direct payment";
  const method = directMethodOf(config);
  if (!method) return { name, ok: true, found: "not taken: the X402 settings are not set" };
  const remedy = "Correct the setting, or check that the service at its address is up.";
  const problems: string[] = [];
  const note = (_: object, message: string) => void problems.push(message);
  const http = createHttpClient(config);
  try {
    await method.load(config, { db, log: { info: () => undefined, warn: note, error: note } }, http);
  } catch (thrown) {
    // The message names the setting to correct.
    problems.push((thrown as Error).message);
  } finally {
    await http.close();
  }
  return { name, ok: problems.length === 0, found: problems.join("; ") || method.describe(config), remedy };
}
