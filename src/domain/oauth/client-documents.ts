import type { Engine } from "../../../db/engine.ts";
import { JSON_BOUNDS } from "../../platform/body-limits.ts";
import { type Clock, DAY, MINUTE, SECOND } from "../../platform/clock.ts";
import { SingleFlight } from "../../platform/concurrency.ts";
import { FetchFailure, type HttpClient, type PublicResponse } from "../../platform/http-client/http-client.ts";
import { parseJsonText } from "../../platform/json/json-reader.ts";
import { Lru } from "../../platform/lru.ts";
import { parseUrl } from "../../platform/text.ts";
import { consumeLimit } from "../limits/window.ts";
import { type Client, clientMethods, clientName, clientScopes } from "./clients.ts";
import { REDIRECTS, redirectUrisIn } from "./redirects.ts";

/** Why a client metadata document cannot be used, in words for its author. Its content is never quoted. */
export const DOCUMENT_PROBLEMS = {
  not_fetched:
    "It could not be fetched. It must be public, served by https with status 200 within 5 seconds, without a redirect.",
  not_json: "It is not a JSON object served as `application/json`.",
  too_large: "It is larger than 10 KB.",
  other_client: "Its `client_id` is not the address that it was fetched from.",
  no_name: "It has no `client_name`.",
  redirect_uris: `Its \`redirect_uris\` must have 1 to ${REDIRECTS.most} that can be used: https, http on localhost or 127.0.0.1, or a scheme of the app's own.`,
  not_public:
    "Only public clients are supported: `none` must be its `token_endpoint_auth_method` or one of its `token_endpoint_auth_methods_supported`, and it must have no secret.",
} as const;

export type DocumentProblem = keyof typeof DOCUMENT_PROBLEMS;

export type ClientDocument = { readonly client: Client } | { readonly problem: DocumentProblem };

/** Whether a client_id is the address of a metadata document (draft-ietf-oauth-client-id-metadata-document-02 section 3). */
export function isDocumentUrl(clientId: string): boolean {
  if (clientId.length > 2_048 || !/^https:\/\/[\x21-\x7e]+$/.test(clientId) || /[#\\]/.test(clientId)) return false;
  const url = parseUrl(clientId);
  // Any other spelling (dot segments, a default port, no path) is not the address that would be fetched.
  return url?.href === clientId && url.username === "" && url.password === "";
}

interface Dependencies {
  readonly db: Engine;
  readonly http: HttpClient;
  readonly clock: Clock;
}

/** Clients described by a metadata document, each cached for as long as its response allows. */
export class ClientDocuments {
  readonly #dependencies: Dependencies;
  readonly #timeMs: number;
  /** Valid documents only (section 5.2): at most 500, of at most 10 KB each. */
  readonly #cache: Lru<ClientDocument>;
  readonly #fetches = new SingleFlight<ClientDocument>();

  constructor(dependencies: Dependencies, timeMs: number = 5 * SECOND) {
    this.#dependencies = dependencies;
    this.#timeMs = timeMs;
    this.#cache = new Lru(dependencies.clock, { entries: 500, weight: Number.POSITIVE_INFINITY });
  }

  /** @param accountId the account of the signed-in user, whose fetches are limited. @throws Refusal rate_limited */
  async of(clientId: string, accountId: string): Promise<ClientDocument> {
    const known = this.#cache.get(clientId) ?? this.#fetches.get(clientId);
    if (known) return known;
    const { db, clock } = this.#dependencies;
    await consumeLimit(db, accountId, "client_documents", clock.now());
    // Another request may have begun or finished the fetch meanwhile.
    return this.#cache.get(clientId) ?? this.#fetches.run(clientId, () => this.#fetch(clientId));
  }

  async #fetch(clientId: string): Promise<ClientDocument> {
    try {
      const limits = {
        accept: "application/json",
        timeMs: this.#timeMs,
        maxWireBytes: MAX_BYTES,
        maxBytes: MAX_BYTES,
        redirects: 0,
      };
      const response = await this.#dependencies.http.fetchPublic(clientId, limits);
      const described = await read(response, clientId);
      if ("client" in described) this.#cache.set(clientId, described, maxAgeOf(response.headers["cache-control"]));
      return described;
    } catch (thrown) {
      if (!(thrown instanceof FetchFailure)) throw thrown;
      return { problem: thrown.problem === "too_large" ? "too_large" : "not_fetched" };
    }
  }
}

/** Largest document, in bytes. */
const MAX_BYTES = 10 * 1024;

/** How long a document is cached, in ms: its max-age within these bounds, `default` without one. */
const CACHED = { least: 30 * SECOND, most: DAY, default: 5 * MINUTE } as const;

async function read(response: PublicResponse, clientId: string): Promise<ClientDocument> {
  if (response.status !== 200) {
    response.discard();
    return { problem: "not_fetched" };
  }
  const chunks: Buffer[] = [];
  for await (const chunk of response.body) chunks.push(chunk);
  const isJson = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(response.headers["content-type"] ?? "");
  const document = isJson ? objectIn(Buffer.concat(chunks)) : null;
  return document ? describedBy(document, clientId) : { problem: "not_json" };
}

/** Validates a document (section 4); its members are defined in RFC 7591 section 2. */
function describedBy(document: Readonly<Record<string, unknown>>, clientId: string): ClientDocument {
  const { client_id: id, client_name: name, redirect_uris: list, scope } = document;
  const { client_secret: secret = null, client_secret_expires_at: secretUntil = null } = document;
  if (id !== clientId) return { problem: "other_client" };
  const hasSecret = secret !== null || secretUntil !== null;
  if (hasSecret || !clientMethods(document).includes("none")) return { problem: "not_public" };
  const redirectUris = redirectUrisIn(list);
  if (redirectUris.length === 0 || redirectUris.length > REDIRECTS.most) return { problem: "redirect_uris" };
  if (typeof name !== "string") return { problem: "no_name" };
  const scopes = clientScopes(typeof scope === "string" ? scope : undefined);
  return { client: { id: clientId, name: clientName(name), redirectUris, scopes } };
}

function objectIn(bytes: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = parseJsonText(new TextDecoder("utf-8", { fatal: true }).decode(bytes), JSON_BOUNDS);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** How long a response may be cached, in ms. */
function maxAgeOf(cacheControl = ""): number {
  const directives = cacheControl
    .toLowerCase()
    .split(",")
    .map((part) => part.trim());
  if (directives.includes("no-store") || directives.includes("no-cache")) return CACHED.least;
  const seconds = directives.map((one) => /^max-age="?(\d{1,10})"?$/.exec(one)?.[1]).find((one) => one !== undefined);
  if (seconds === undefined) return CACHED.default;
  return Math.min(Math.max(Number(seconds) * SECOND, CACHED.least), CACHED.most);
}
