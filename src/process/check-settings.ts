import { transportOf } from "../domain/mail/open-transport.ts";
import { createHttpClient } from "../platform/http-client/http-client.ts";
import { enginesOf } from "./engines.ts";
import type { Instance } from "./instance.ts";

/**
 * Uses the settings whose validity only their use shows: key files, the address of the mail server. It runs before
 * anything listens, because a process that fails later would keep its port and answer nothing.
 * @throws Error naming the setting that cannot be used
 */
export async function refuseUnusableSettings({ config, db, clock }: Instance): Promise<void> {
  await transportOf(config);
  const http = createHttpClient(config);
  try {
    enginesOf({ config, db, clock, http });
  } finally {
    await http.close();
  }
}
