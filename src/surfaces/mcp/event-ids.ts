import { createHash, randomBytes } from "node:crypto";
import type { WatchedResource } from "./project-updates.ts";

/** What a client has been told: the version of each resource. */
export class ToldVersions {
  readonly #versions = new Map<string, string>();

  /** @returns the resources that have changed since the client was told, or since it began */
  changed(resources: readonly WatchedResource[]): WatchedResource[] {
    return resources.filter(({ uri, versionThen, version }) => (this.#versions.get(uri) ?? versionThen) !== version);
  }

  told({ uri, version }: Pick<WatchedResource, "uri" | "version">): void {
    this.#versions.set(uri, version);
  }

  /** The id of an event after which the client knows what it was told. */
  eventId(resources: readonly WatchedResource[]): string {
    return eventIdOf(
      resources.map(({ uri, versionThen }) => ({ uri, version: this.#versions.get(uri) ?? versionThen })),
    );
  }
}

/**
 * The id of an event: a digest of the versions that the client knows with it, after some random characters, as ids are not
 * repeated. Nothing has to be kept to resume a stream at any process.
 */
function eventIdOf(resources: readonly Pick<WatchedResource, "uri" | "version">[]): string {
  return `${randomBytes(6).toString("base64url")}.${digestOf(resources)}`;
}

/** Whether a client that had this event knows these versions. */
export function knows(eventId: string, resources: readonly Pick<WatchedResource, "uri" | "version">[]): boolean {
  return eventId.split(".")[1] === digestOf(resources);
}

function digestOf(resources: readonly Pick<WatchedResource, "uri" | "version">[]): string {
  const lines = resources.map(({ uri, version }) => `${uri} ${version}`).sort();
  return createHash("sha256").update(lines.join("\n")).digest("base64url").slice(0, 22);
}
