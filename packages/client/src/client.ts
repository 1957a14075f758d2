import { originOf } from "./address.ts";
import type { CallOptions } from "./call-options.ts";
import { BeckonError } from "./error.ts";
import type { Operations, Records } from "./generated/calls.ts";
import { OPERATIONS } from "./generated/operations.ts";
import type { Project } from "./generated/shapes.ts";
import { pause } from "./retry.ts";
import { type Credential, callOperation, openStream, type TransportOptions } from "./transport.ts";

export interface ClientOptions {
  /** Address of the service, e.g. `https://beckon.example`. Plain http is taken for this machine only. */
  readonly url: string;
  /** An API key or an OAuth access token; without one, only public operations work. */
  readonly credential?: Credential | undefined;
  /** How often a call is repeated after a failure that allows it. Default: 4. */
  readonly retries?: number | undefined;
  /** Longest time for one answer, in ms. Default: 120,000, since a call may read a sitemap. */
  readonly timeoutMs?: number | undefined;
  /** Longest wait before a retry, in ms. If the service asks for more, the error is thrown. Default: 60,000. */
  readonly maxWaitMs?: number | undefined;
  /** Replaces `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Told before each retry. */
  readonly onRetry?: ((error: BeckonError, waitMs: number) => void) | undefined;
}

export interface WaitOptions {
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
  /** Time between two reads, in ms. Default: 30,000. */
  readonly intervalMs?: number | undefined;
  /** Longest time to wait, in ms; then `timeout` is thrown. Default: none, and the last check of Google comes after weeks. */
  readonly timeoutMs?: number | undefined;
  /** Told of each state that was read. */
  readonly onProgress?: ((project: Project) => void) | undefined;
}

type InputOf<Name extends keyof Records> = Parameters<Operations[Name]>[0];

/** A client of one service: a method for each operation, and what most callers need besides. */
export interface Client extends Operations {
  /** Origin of the service. */
  readonly origin: string;
  /**
   * Every record of a list, page after page.
   * @example for await (const link of client.each("listLinks", { project_id, status: "not_indexed" })) …
   * @throws BeckonError
   */
  each<Name extends keyof Records>(
    name: Name,
    input?: InputOf<Name>,
    options?: Pick<CallOptions, "signal">,
  ): AsyncGenerator<Records[Name], void, undefined>;
  /** All links of a project as CSV, as they arrive: UTF-8, a header line, a line for each link. @throws BeckonError */
  linksCsv(
    input: Parameters<Operations["listLinks"]>[0],
    options?: Pick<CallOptions, "signal">,
  ): Promise<ReadableStream<Uint8Array>>;
  /** Reads a project until each of its URLs has its final status. @throws BeckonError */
  waitForProject(projectId: string, options?: WaitOptions): Promise<Project>;
}

/** Makes a client. @throws BeckonError bad_address */
export function createClient({ url, ...given }: ClientOptions): Client {
  const transport: TransportOptions = {
    origin: originOf(url),
    credential: given.credential,
    retries: given.retries ?? 4,
    timeoutMs: given.timeoutMs ?? 120_000,
    maxWaitMs: given.maxWaitMs ?? 60_000,
    // Called without its object, which browsers refuse for a method of `window`.
    fetch: given.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    onRetry: given.onRetry,
  };
  const methods = Object.entries(OPERATIONS).map(([name, row]) => [
    name,
    (input: object = {}, options: CallOptions = {}) =>
      callOperation(transport, row, input as Record<string, unknown>, options),
  ]);
  const operations = Object.fromEntries(methods) as unknown as Operations;
  return {
    ...operations,
    origin: transport.origin,
    each: (name, input, options) => eachRecord(transport, name, { ...input }, options),
    linksCsv: (input, options) => openStream(transport, OPERATIONS.listLinks, { ...input }, "csv", options),
    waitForProject: (projectId, options) => waitForProject(operations, projectId, options),
  };
}

async function* eachRecord<Name extends keyof Records>(
  transport: TransportOptions,
  name: Name,
  input: Record<string, unknown>,
  options?: Pick<CallOptions, "signal">,
): AsyncGenerator<Records[Name], void, undefined> {
  const row = OPERATIONS[name];
  const { list, by, limit } = row.page!;
  const query = { ...(limit === null ? {} : { limit }), ...input };
  let offset = Number(input.offset ?? 0);
  let after = input.after;
  for (;;) {
    const position = by === "cursor" ? { after } : { offset };
    const answer = await callOperation(transport, row, { ...query, ...position }, options);
    const records = answer[list] as (Records[Name] & { readonly id: string })[];
    yield* records;
    if (answer.has_more !== true || records.length === 0) return;
    offset += records.length;
    after = records.at(-1)!.id;
  }
}

async function waitForProject(
  operations: Operations,
  project_id: string,
  { signal, intervalMs = 30_000, timeoutMs = Number.POSITIVE_INFINITY, onProgress }: WaitOptions = {},
): Promise<Project> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const project = await operations.getProject({ project_id }, { signal });
    onProgress?.(project);
    if (project.status === "completed") return project;
    if (Date.now() + intervalMs > end)
      throw new BeckonError("timeout", `${project_id} was not completed in time.`, { fields: { project } });
    await pause(intervalMs, signal);
  }
}
