/**
 * The address of this machine's service, which is not known where its port is chosen when it starts.
 * @param setting what to set instead
 * @throws Error that says so
 */
export function knownAddress(address: string, setting: "SITE_URL" | "BECKON_URL"): string {
  if (new URL(address).port !== "0") return address;
  throw new Error(`PORT is 0, so the address of the service is not known: set ${setting}.`);
}
