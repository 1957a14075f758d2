import type { Engine } from "../../../db/engine.ts";
import { type Clock, DAY, MINUTE, SECOND } from "../../platform/clock.ts";
import { SingleFlight } from "../../platform/concurrency.ts";
import { FetchFailure, type HttpClient, type PublicResponse } from "../../platform/http-client/http-client.ts";
import { Lru } from "../../platform/lru.ts";
import { parseUrl } from "../../platform/text.ts";
import { consumeLimit } from "../limits/window.ts";
import { type Client, clientName } from "./clients.ts";
import { areRedirectUris, REDIRECTS } from "./redirects.ts";

/** Why a document is of no use, in words for whoever wrote it; never what it says. */
export const DOCUMENT_PROBLEMS = {
  not_fetched:
    "It could not be fetched. It has to be public, by https, with status 200, in 5 seconds, without a redirect.",
  not_json: "It is not a JSON object served as `application/json`.",
  too_large: "It is larger than 10 KB.",
  other_client: "Its `client_id` is not the very address it was asked for with.",
  no_name: "It has no `client_name`.",
  redirect_uris: `Its \`redirect_uris\` have to be 1 to ${REDIRECTS.most} addresses: https, http on localhost or 127.0.0.1, or a scheme of the app's own.`,
  not_public: "Apps are public clients here: `token_endpoint_auth_method` has to be `none`, and there is no secret.",
} as const;

export type DocumentProblem = keyof typeof DOCUMENT_PROBLEMS;

export type ClientDocument = { readonly client: Client } | { readonly problem: DocumentProblem };

/** Whether a client_id is the address of a document (draft-ietf-oauth-client-id-metadata-document-02 section 3). */
export function isDocumentUrl(clientId: string): boolean {
  if (clientId.length > 2_048 || !/^https:\/\/[\x21-\x7e]+$/.test(clientId) || /[#\\]/.test(clientId)) return false;
  const url = parseUrl(clientId);
  // One in another spelling has dot segments, a default port or no path: it is not the address that is fetched.
  return url?.href === clientId && url.username === "" && url.password === "";
}

interface Parts {
  readonly db: Engine;
  readonly http: HttpClient;
  readonly clock: Clock;
}

/** Apps known by documents of theirs, each fetched once for as long as it says, whoever asks. */
export class ClientDocuments {
  readonly #parts: Parts;
  readonly #timeMs: number;
  /** What could be used, and nothing else (section 5.2): 500 of at most 10 KB. */
  readonly #kept: Lru<ClientDocument>;
  readonly #fetches = new SingleFlight<ClientDocument>();

  constructor(parts: Parts, timeMs: number = 5 * SECOND) {
    this.#parts = parts;
    this.#timeMs = timeMs;
    this.#kept = new Lru(parts.clock, { entries: 500, weight: Number.POSITIVE_INFINITY });
  }

  /** @param accountId of who is signed in: it is for them that we fetch. @throws Refusal rate_limited */
  async of(clientId: string, accountId: string): Promise<ClientDocument> {
    const known = this.#kept.get(clientId) ?? this.#fetches.get(clientId);
    if (known) return known;
    const { db, clock } = this.#parts;
    await consumeLimit(db, accountId, "client_documents", clock.now());
    // Another one may have begun meanwhile, or be done.
    return this.#kept.get(clientId) ?? this.#fetches.run(clientId, () => this.#fetch(clientId));
  }

  async #fetch(clientId: string): Promise<ClientDocument> {
    try {
      const limits = {
        accept: "application/json",
        timeMs: this.#timeMs,
        maxWireBytes: BYTES,
        maxBytes: BYTES,
        redirects: 0,
      };
      const response = await this.#parts.http.fetchPublic(clientId, limits);
      const described = await read(response, clientId);
      if ("client" in described) this.#kept.set(clientId, described, ageOf(response.headers["cache-control"]));
      return described;
    } catch (thrown) {
      if (!(thrown instanceof FetchFailure)) throw thrown;
      return { problem: thrown.problem === "too_large" ? "too_large" : "not_fetched" };
    }
  }
}

/** Most bytes of a document. */
const BYTES = 10 * 1024;

/** How long a document is kept, in ms: as it says, within bounds. */
const KEPT = { least: 30 * SECOND, most: DAY, unsaid: 5 * MINUTE } as const;

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

/** Section 4; the members are those of RFC 7591 section 2. */
function describedBy(document: Readonly<Record<string, unknown>>, clientId: string): ClientDocument {
  const {
    client_id: id,
    client_name: name,
    redirect_uris: redirectUris,
    token_endpoint_auth_method: method = "none",
  } = document;
  if (id !== clientId) return { problem: "other_client" };
  if (method !== "none" || "client_secret" in document || "client_secret_expires_at" in document)
    return { problem: "not_public" };
  if (!areRedirectUris(redirectUris)) return { problem: "redirect_uris" };
  if (typeof name !== "string") return { problem: "no_name" };
  return { client: { id: clientId, name: clientName(name), redirectUris } };
}

function objectIn(bytes: Buffer): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function ageOf(cacheControl = ""): number {
  const directives = cacheControl
    .toLowerCase()
    .split(",")
    .map((part) => part.trim());
  if (directives.includes("no-store") || directives.includes("no-cache")) return KEPT.least;
  const seconds = directives.map((one) => /^max-age="?(\d{1,10})"?$/.exec(one)?.[1]).find((one) => one !== undefined);
  if (seconds === undefined) return KEPT.unsaid;
  return Math.min(Math.max(Number(seconds) * SECOND, KEPT.least), KEPT.most);
}
