/** The holder of the budget of the whole account: what its keys, apps and agents may spend together. No credential is named so. */
export const ACCOUNT = "account";

/**
 * Whose budget the calls of an app or agent spend. Connecting again begins no new budget: an app is known by its client id, and
 * an agent, which has none, by the name under which its user claimed it.
 */
export function holderOf({ clientId, name }: { readonly clientId: string | null; readonly name: string }): string {
  return clientId ?? `agent:${name}`;
}
