import { BeckonError } from "../error.ts";
import type { Credential } from "../transport.ts";
import { UsageError } from "./command.ts";
import { refreshed } from "./oauth.ts";
import type { Store } from "./store.ts";

/** An access token is renewed this long before it ends, in ms. */
const EARLY = 60_000;

type Env = Readonly<Record<string, string | undefined>>;

/** The address of the service: from the option, from BECKON_URL, or from the last sign-in. @throws UsageError */
export async function urlOf(given: string | undefined, env: Env, store: Store): Promise<string> {
  const url = given ?? (env.BECKON_URL || (await store.read()).url);
  if (url) return url;
  throw new UsageError(
    "No service is set. Run: beckon login https://YOUR-BECKON. Or set BECKON_URL to its address, and BECKON_API_KEY to an API key.",
  );
}

/** The credential for a service: BECKON_API_KEY, or what was stored at the sign-in. Undefined where there is neither. */
export function credentialOf(origin: string, env: Env, store: Store): Credential {
  const key = env.BECKON_API_KEY;
  if (key) return key;
  return async () => {
    const login = (await store.read()).logins?.[origin];
    if (login === undefined) return undefined;
    if (login.kind === "key") return login.key;
    return login.endsAt - EARLY > Date.now() ? login.access : renewed(origin, store);
  };
}

/** A new access token. Another process may have renewed it meanwhile: a refresh token works once. */
function renewed(origin: string, store: Store): Promise<string> {
  return store.change(async (stored) => {
    const login = stored.logins?.[origin];
    if (login?.kind !== "oauth") throw new BeckonError("unauthorized", "You have signed out. Run: beckon login");
    if (login.endsAt - EARLY > Date.now()) return { stored, result: login.access };
    const next = await refreshed(origin, login);
    return { stored: { ...stored, logins: { ...stored.logins, [origin]: next } }, result: next.access };
  });
}
