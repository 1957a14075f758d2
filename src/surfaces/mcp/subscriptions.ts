import type { IncomingMessage } from "node:http";
import type { ServerEvent, ServerEventBus } from "@modelcontextprotocol/server";
import type { Caller } from "../../contract/authenticate.ts";
import type { Services } from "../../contract/call.ts";
import type { OpenStreams } from "../../contract/open-streams.ts";
import { requireMayAct } from "../../domain/credentials/may-act.ts";
import { projectsByIds } from "../../domain/projects/fingerprint.ts";
import { type McpSession, subscribe, unsubscribe } from "../../domain/projects/resource-subscriptions.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import type { Principal } from "../../platform/principal.ts";
import type { ResourceSubscriptions } from "./caller.ts";
import { HEARING } from "./own-projects.ts";
import type { ListenedProject, ProjectUpdates } from "./project-updates.ts";
import { projectResourceOf } from "./resource-uris.ts";

export interface SubscriptionDeps {
  readonly services: Pick<Services, "db" | "clock">;
  readonly updates: ProjectUpdates;
  readonly streams: OpenStreams;
}

/** The header in which a client names its session, given to it by the answer to `initialize`. */
export const SESSION_HEADER = "mcp-session-id";

/** The session that a request names; null where it names none, or none that we have given out. */
export function sessionOf({ headers }: IncomingMessage, principal: Principal | null): McpSession | null {
  const id = headers[SESSION_HEADER];
  if (typeof id !== "string" || !principal || !/^mcp_[0-9a-z]{20}$/.test(id)) return null;
  return { id, accountId: principal.accountId, maker: principal.credential.id };
}

/** Most resources that one stream of 2026-07-28 listens to. */
const MOST_LISTENED = 100;

/** The subscriptions of one HTTP request: by sessions until 2025-11-25, by streams since 2026-07-28. */
export class HttpSubscriptions implements ResourceSubscriptions {
  readonly #deps: SubscriptionDeps;
  readonly #caller: Caller;
  readonly #principal: Principal | null;
  readonly #session: McpSession | null;
  readonly #stopping: AbortSignal;

  constructor(
    deps: SubscriptionDeps,
    request: { caller: Caller; principal: Principal | null; session: McpSession | null; stopping: AbortSignal },
  ) {
    this.#deps = deps;
    this.#caller = request.caller;
    this.#principal = request.principal;
    this.#session = request.session;
    this.#stopping = request.stopping;
  }

  async subscribe(uri: string): Promise<boolean> {
    const session = this.#requireSession();
    const [project] = await this.#projectsOf([uri]);
    if (!project) return false;
    const { db, clock } = this.#deps.services;
    const isLinks = projectResourceOf(uri)!.isLinks;
    await db.tx(async (tx) => {
      const now = clock.now();
      await requireMayAct(tx, this.#principal!, { scopes: HEARING, now });
      await subscribe(tx, session, { ...project, isLinks }, now);
    });
    return true;
  }

  async unsubscribe(uri: string): Promise<boolean> {
    const session = this.#requireSession();
    const [project] = await this.#projectsOf([uri]);
    if (!project) return false;
    const isLinks = projectResourceOf(uri)!.isLinks;
    await this.#deps.services.db.tx((tx) => unsubscribe(tx, session, { ...project, isLinks }));
    return true;
  }

  #requireSession(): McpSession {
    if (this.#session) return this.#session;
    const message =
      "Subscriptions belong to a session. Send the Mcp-Session-Id that the answer to `initialize` has when it is sent with a credential.";
    throw new Refusal("invalid_request", message, { issues: [{ path: "Mcp-Session-Id", message: "required" }] });
  }

  async listen(uris: readonly string[]) {
    const { updates, streams } = this.#deps;
    const about = await this.#projectsOf(uris.slice(0, MOST_LISTENED));
    const accountId = this.#principal?.accountId ?? "";
    if (about.length > 0) updates.refuseTooMany(accountId);
    const ends = new AbortController();
    const bus: ServerEventBus = {
      publish: () => undefined,
      subscribe: (listener: (event: ServerEvent) => void) => {
        const told = new Map(about.map(({ uri, fingerprint }) => [uri, fingerprint]));
        const end = () => ends.abort();
        const leave = streams.add({ ...this.#caller, scopes: HEARING }, end);
        this.#stopping.addEventListener("abort", end, { once: true });
        if (this.#stopping.aborted) end();
        const stop = updates.add({
          accountId,
          about,
          update(resources) {
            for (const { uri, fingerprint } of resources) {
              if (told.get(uri) === fingerprint) continue;
              told.set(uri, fingerprint);
              listener({ kind: "resource_updated", uri });
            }
          },
        });
        return () => {
          stop();
          leave();
          this.#stopping.removeEventListener("abort", end);
        };
      },
    };
    return { uris: about.map(({ uri }) => uri), bus, ends: ends.signal };
  }

  /** The projects of the caller's account that resources are about. */
  async #projectsOf(uris: readonly string[]): Promise<ListenedProject[]> {
    const wanted = [...new Set(uris)].flatMap((uri) => {
      const resource = projectResourceOf(uri);
      return resource ? [{ uri, ...resource }] : [];
    });
    if (wanted.length === 0 || !this.#principal) return [];
    const ids = [...new Set(wanted.map(({ projectId }) => projectId))];
    const found = await projectsByIds(this.#deps.services.db, this.#principal.accountId, ids);
    const projects = new Map(found.map((project) => [project.id, project]));
    return wanted.flatMap(({ uri, projectId }) => {
      const project = projects.get(projectId);
      return project ? [{ uri, projectNo: project.no, fingerprint: project.fingerprint }] : [];
    });
  }
}
