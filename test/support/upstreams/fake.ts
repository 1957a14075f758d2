import type { World } from "./world.ts";

/**
 * Makes a fake provider: one handler for each mount, which is its name in PROVIDER_URLS. Handlers answer in the
 * documented wire format, and share the state of the world.
 */
export type Fake = (world: World) => Readonly<Record<string, Handler>>;

export type Handler = (request: Received) => Reply | Promise<Reply>;

export interface Received {
  /** The mount it came in by, e.g. `speedyindex`. */
  readonly provider: string;
  readonly method: string;
  /** Without the mount and the query, as sent: `/v2/account`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent as it is, anything else as JSON; absent: nothing. */
  readonly body?: unknown;
}

/** A failure of a provider to simulate. */
export interface Fault {
  /** What is answered; `hang`: nothing, ever; `drop`: the connection is closed instead. */
  readonly answer: Reply | "hang" | "drop";
  /** Whether the provider does its work before it fails; default: it does not. */
  readonly afterActing?: boolean;
  /** Only requests whose path contains this. */
  readonly path?: string;
  /** Only requests whose body or query contains this. */
  readonly holding?: string;
  /** How many requests; default: all, until it is healed. */
  readonly times?: number;
}

/** The body as JSON, or null. */
export function jsonBody({ body }: Received): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
