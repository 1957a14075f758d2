import { createClient } from "../client.ts";
import type { BeckonError } from "../error.ts";
import type { Context, Terminal } from "./command.ts";
import { credentialOf, urlOf } from "./credential.ts";
import { plain, safeTerminal } from "./safe-terminal.ts";
import { Store } from "./store.ts";

/**
 * What a command runs in. That no service is known is said when the command asks for it: some need none.
 * @param given address of the service, before what the environment and the last login say
 */
export async function contextOf(given: string | undefined, raw: Terminal & { json: boolean }): Promise<Context> {
  const terminal = safeTerminal(raw);
  const { env } = terminal;
  const store = new Store(env);
  const onRetry = ({ message }: BeckonError, ms: number) =>
    terminal.err(`${plain(message)} Trying again in ${Math.ceil(ms / 1_000)} s.\n`);
  const [url, problem] = await urlOf(given, env, store).then(
    (found) => [found, null] as const,
    (thrown: unknown) => [null, thrown] as const,
  );
  const known = () => {
    if (url === null) throw problem;
    return url;
  };
  return {
    ...terminal,
    store,
    get url() {
      return known();
    },
    get client() {
      const { origin } = createClient({ url: known() });
      return createClient({ url: origin, credential: credentialOf(origin, env, store), onRetry });
    },
  };
}
