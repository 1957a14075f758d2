import { randomBytes } from "node:crypto";

/**
 * The keys of a site. `indexnowKey` is the one whose file its owner is to place, and `keyUrl` is where the file of the
 * key in use was found. They differ while the key is replaced.
 */
interface SiteKeys {
  readonly indexnowKey: string;
  readonly keyUrl: string;
}

export function newKey(): string {
  return randomBytes(16).toString("hex");
}

export function keyInUse({ keyUrl }: Pick<SiteKeys, "keyUrl">): string {
  return keyUrl.slice(keyUrl.lastIndexOf("/") + 1, -".txt".length);
}

export function isReplaced(site: SiteKeys): boolean {
  return keyInUse(site) !== site.indexnowKey;
}

/** Where the file of `indexnowKey` must be, or was found. */
export function keyFileUrl({ indexnowKey, keyUrl }: SiteKeys): string {
  return `${keyUrl.slice(0, keyUrl.lastIndexOf("/"))}/${indexnowKey}.txt`;
}
