import { createHash, randomBytes } from "node:crypto";
import type { WatchedResource } from "./project-updates.ts";

/** What a client has been told: the fingerprint of each resource. */
export class ToldFingerprints {
  readonly #fingerprints = new Map<string, string>();

  /** @returns the resources that have changed since the client was told, or since it began */
  changed(resources: readonly WatchedResource[]): WatchedResource[] {
    return resources.filter(
      ({ uri, fingerprintThen, fingerprint }) => (this.#fingerprints.get(uri) ?? fingerprintThen) !== fingerprint,
    );
  }

  told({ uri, fingerprint }: Pick<WatchedResource, "uri" | "fingerprint">): void {
    this.#fingerprints.set(uri, fingerprint);
  }

  /** The id of an event after which the client knows what it was told. */
  eventId(resources: readonly WatchedResource[]): string {
    return eventIdOf(
      resources.map(({ uri, fingerprintThen }) => ({
        uri,
        fingerprint: this.#fingerprints.get(uri) ?? fingerprintThen,
      })),
    );
  }
}

/**
 * The id of an event: a digest of the fingerprints that the client knows with it, after some random characters, as ids are not
 * repeated. Nothing has to be kept to resume a stream at any process.
 */
function eventIdOf(resources: readonly Pick<WatchedResource, "uri" | "fingerprint">[]): string {
  return `${randomBytes(6).toString("base64url")}.${digestOf(resources)}`;
}

/** Whether a client that had this event knows these fingerprints. */
export function knows(eventId: string, resources: readonly Pick<WatchedResource, "uri" | "fingerprint">[]): boolean {
  return eventId.split(".")[1] === digestOf(resources);
}

function digestOf(resources: readonly Pick<WatchedResource, "uri" | "fingerprint">[]): string {
  const lines = resources.map(({ uri, fingerprint }) => `${uri} ${fingerprint}`).sort();
  return createHash("sha256").update(lines.join("\n")).digest("base64url").slice(0, 22);
}
