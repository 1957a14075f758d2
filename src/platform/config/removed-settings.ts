/**
 * Settings of earlier versions, with what to do in place of each. They are refused, since what they switched on would
 * otherwise be off without anybody noticing.
 */
export const REMOVED_SETTINGS = {
  X402_FACILITATOR_KEY:
    "the service no longer settles payments itself; remove it, and set X402_FACILITATOR_URL to any facilitator of x402 version 2, one that you host or somebody else's",
  X402_MAX_GAS_GWEI:
    "the service no longer pays gas; remove it, since the facilitator at X402_FACILITATOR_URL decides what it pays",
} as const;

/** @returns what is wrong with each that is still set; its value, which may be a secret, is not in it */
export function removedProblems(env: NodeJS.ProcessEnv): string[] {
  const isSet = (name: string) => (env[name] ?? "").trim() !== "";
  return Object.entries(REMOVED_SETTINGS).flatMap(([name, advice]) => (isSet(name) ? [`${name}: ${advice}`] : []));
}
