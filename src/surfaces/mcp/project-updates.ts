import type { Services } from "../../contract/call.ts";
import { refuseTooManyStreams } from "../../contract/stream-limits.ts";
import { fingerprintsOf } from "../../domain/projects/fingerprint.ts";
import { type McpSession, subscriptionsOf } from "../../domain/projects/resource-subscriptions.ts";
import { PolledSet } from "../../platform/polled-set.ts";
import type { RunEvery } from "../../platform/run-every.ts";
import type { McpLog } from "./caller.ts";
import { linksUri, projectUri } from "./resource-uris.ts";

/** A resource that a stream listens to: its fingerprint when the client learnt of it, and now. */
export interface WatchedResource {
  readonly uri: string;
  readonly fingerprintThen: string;
  readonly fingerprint: string;
}

/** A stream that hears of changes. */
export interface UpdateListener {
  readonly accountId: string;
  /** What it listens to: the subscriptions of a session, which change, or these projects. */
  readonly about: McpSession | readonly ListenedProject[];
  /** Called at each poll, with all that the stream listens to. */
  update(resources: readonly WatchedResource[]): void;
}

/** A resource of a project that a stream listens to from its beginning. */
export interface ListenedProject {
  readonly uri: string;
  readonly projectNo: number;
  /** When it began to listen. */
  readonly fingerprint: string;
}

/**
 * Reads the projects of all streams of this process once a second, by two queries at most, and none while no stream is open.
 * Changes are found in the database, so that it does not matter which process has made them.
 */
export class ProjectUpdates {
  readonly #db: Services["db"];
  readonly #listeners: PolledSet<UpdateListener>;

  constructor({ db, log, every }: Pick<Services, "db"> & { readonly log: McpLog; readonly every: RunEvery }) {
    this.#db = db;
    this.#listeners = new PolledSet({
      every,
      poll: (listeners) => this.#update(listeners),
      failed: (err) => log.error({ err }, "subscribed projects could not be read; trying again"),
    });
  }

  /** @throws Refusal rate_limited, unavailable */
  refuseTooMany(accountId: string): void {
    const open = this.#listeners.members.map((listener) => listener.accountId);
    refuseTooManyStreams(open, accountId, "Read the resource");
  }

  /** @returns a function that ends it @throws Refusal rate_limited, unavailable */
  add(listener: UpdateListener): () => void {
    this.refuseTooMany(listener.accountId);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #update(listeners: readonly UpdateListener[]): Promise<void> {
    const db = this.#db;
    const numbers = listeners.flatMap(({ about }) => (isSession(about) ? [] : about.map(({ projectNo }) => projectNo)));
    const fingerprints = await fingerprintsOf(db, [...new Set(numbers)]);
    const resources = await resourcesOfSessions(
      db,
      listeners.flatMap(({ about }) => (isSession(about) ? [about] : [])),
    );
    for (const listener of listeners) {
      const { about } = listener;
      if (isSession(about)) listener.update(resources.get(keyOf(about)) ?? []);
      else listener.update(about.flatMap((project) => resourceOf(project, fingerprints.get(project.projectNo))));
    }
  }
}

function isSession(about: UpdateListener["about"]): about is McpSession {
  return !Array.isArray(about);
}

function resourceOf(
  { uri, fingerprint: fingerprintThen }: ListenedProject,
  fingerprint: string | undefined,
): WatchedResource[] {
  return fingerprint === undefined ? [] : [{ uri, fingerprintThen, fingerprint }];
}

/** What sessions listen to, by `keyOf`. */
export async function resourcesOfSessions(
  db: Services["db"],
  sessions: readonly McpSession[],
): Promise<Map<string, WatchedResource[]>> {
  const resources = new Map<string, WatchedResource[]>();
  for (const { session: id, maker, projectId, isLinks, fingerprintThen, fingerprint } of await subscriptionsOf(
    db,
    sessions,
  )) {
    const key = keyOf({ id, maker });
    const uri = isLinks ? linksUri(projectId) : projectUri(projectId);
    resources.set(key, [...(resources.get(key) ?? []), { uri, fingerprintThen, fingerprint }]);
  }
  return resources;
}

export function keyOf({ id, maker }: Pick<McpSession, "id" | "maker">): string {
  return `${maker} ${id}`;
}
