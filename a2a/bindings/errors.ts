import {
  A2A_ERROR_CODE,
  A2AError,
  ContentTypeNotSupportedError,
  ERROR_INFO_TYPE,
  restStatusFor,
  toJsonRpcError,
  toRestErrorBody,
} from "@a2a-js/sdk/errors";
import { errorEnvelope, type Refusal } from "../../src/platform/errors/errors.ts";
import type { Json } from "../wire.ts";

/** An error (A2A 1.0 section 3.3.2) with what both bindings need to encode it. */
export interface WireError {
  /** HTTP status in HTTP+JSON. */
  readonly status: number;
  /** Whether the HTTP request itself is refused, so that `status` is the HTTP status over JSON-RPC, too. */
  readonly isHttpRefusal: boolean;
  /** Error code in JSON-RPC. */
  readonly code: number;
  /** Name of the canonical code (google.rpc.Code). */
  readonly name: string;
  readonly message: string;
  /** `google.rpc` objects: an ErrorInfo, and a BadRequest where fields are invalid. */
  readonly details: readonly Json[];
  readonly headers: Readonly<Record<string, string>>;
}

/** An invalid field, by its name in the protocol. */
export interface Violation {
  readonly field: string;
  readonly description: string;
}

const FAULT_CODES = {
  PARSE_ERROR: A2A_ERROR_CODE.PARSE_ERROR,
  INVALID_REQUEST: A2A_ERROR_CODE.INVALID_REQUEST,
  METHOD_NOT_FOUND: A2A_ERROR_CODE.METHOD_NOT_FOUND,
  INVALID_PARAMS: A2A_ERROR_CODE.INVALID_PARAMS,
} as const;

/** A message that the protocol does not allow (JSON-RPC 2.0 section 5.1). It repeats nothing of what the client sent. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly reason: keyof typeof FAULT_CODES;
  readonly violations: readonly Violation[];

  constructor(reason: keyof typeof FAULT_CODES, message: string, violations: readonly Violation[] = []) {
    super(message);
    this.reason = reason;
    this.violations = violations;
  }
}

/** @returns null for an error that is not meant for the client: a base A2AError is an internal one of the SDK */
export function wireErrorOf(thrown: unknown): WireError | null {
  if (thrown instanceof Fault) return fromFault(thrown);
  if (thrown instanceof A2AError && thrown.reason !== "INTERNAL_ERROR") return fromProtocolError(thrown);
  return null;
}

function fromFault({ reason, message, violations }: Fault): WireError {
  const info = { "@type": ERROR_INFO_TYPE, reason, domain: "a2a-protocol.org" };
  const details = [info, ...badRequest(violations)];
  const canonical = { status: 400, name: "INVALID_ARGUMENT" };
  return { ...canonical, isHttpRefusal: false, code: FAULT_CODES[reason], message, details, headers: {} };
}

function fromProtocolError(error: A2AError): WireError {
  const { code, message, data } = toJsonRpcError(error);
  const status = restStatusFor(error);
  const name = toRestErrorBody(error, status).error.status;
  return { status, isHttpRefusal: false, code, name, message, details: data as Json[], headers: {} };
}

const CANONICAL_NAMES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  402: "FAILED_PRECONDITION",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  405: "UNIMPLEMENTED",
  409: "ABORTED",
  410: "FAILED_PRECONDITION",
  413: "OUT_OF_RANGE",
  415: "INVALID_ARGUMENT",
  422: "INVALID_ARGUMENT",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};

/** Free for servers to use (JSON-RPC 2.0 section 5.1). */
const SERVER_ERROR = -32_000;

const JSON_RPC_CODES: Readonly<Record<number, number>> = {
  400: A2A_ERROR_CODE.INVALID_REQUEST,
  405: A2A_ERROR_CODE.INVALID_REQUEST,
  413: A2A_ERROR_CODE.INVALID_REQUEST,
  415: A2A_ERROR_CODE.CONTENT_TYPE_NOT_SUPPORTED,
  500: A2A_ERROR_CODE.INTERNAL_ERROR,
  503: A2A_ERROR_CODE.INTERNAL_ERROR,
};

/**
 * A refusal keeps its HTTP status and headers in both bindings. Its reason is ours and stands under our domain; a body
 * of a type that is not taken has an error of the protocol's own.
 */
export function wireErrorOfRefusal(refusal: Refusal, siteUrl: string): WireError {
  const { status, message, headers, fields } = refusal;
  const { code, message: _, ...others } = errorEnvelope(refusal, siteUrl).error;
  const scalars = Object.entries(others).filter(([, value]) => ["string", "number"].includes(typeof value));
  const metadata = Object.fromEntries(scalars.map(([name, value]) => [name, String(value)]));
  const ours = { "@type": ERROR_INFO_TYPE, reason: code.toUpperCase(), domain: new URL(siteUrl).hostname, metadata };
  const info = status === 415 ? { ...new ContentTypeNotSupportedError({ metadata }).toErrorInfo() } : ours;
  return {
    status,
    isHttpRefusal: true,
    code: JSON_RPC_CODES[status] ?? SERVER_ERROR,
    name: CANONICAL_NAMES[status]!,
    message,
    details: [info, ...badRequest(violationsOf(fields.issues))],
    headers,
  };
}

function violationsOf(issues: unknown): Violation[] {
  const list = Array.isArray(issues) ? (issues as { path: string; message: string }[]) : [];
  return list.map(({ path, message }) => ({ field: path, description: message }));
}

function badRequest(violations: readonly Violation[]): Json[] {
  if (violations.length === 0) return [];
  return [{ "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: violations }];
}
