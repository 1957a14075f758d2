/** Why a fetch failed, as one of these words; never what a stranger's server sent. */
export type FetchProblem =
  | "bad_url" // not http(s), credentials in it, or it does not parse
  | "not_public" // an address or a port that we do not connect to
  | "unresolved" // no such host
  | "unreachable" // refused, reset, TLS
  | "timeout"
  | "too_large"
  | "too_many_redirects"
  | "left_host" // a redirect against `sameHost`
  | "broken"; // not HTTP, broken compression, a redirect to nowhere

/** What exactly was wrong, in words with which a sentence about the fetch ends. */
export const FETCH_DETAILS = {
  certificate_expired: "the certificate of its server has expired",
  certificate_not_yet_valid: "the certificate of its server is not valid yet",
  certificate_self_signed: "the certificate of its server is self-signed",
  certificate_wrong_host: "the certificate of its server is for another host",
  certificate_untrusted:
    "the certificate of its server, or one between it and a known authority, is missing or not trusted",
  tls: "no TLS connection to its server could be made",
  headers_too_large: "the headers of its server's answer are too large",
  headers_malformed: "the headers of its server's answer are not HTTP",
  length: "its server's answer is not as long as its Content-Length or Transfer-Encoding say",
  chunks: "the chunks of its server's answer are broken",
  cut_short: "its server's answer ended before it was complete",
  coding: "the compression of its server's answer is broken or not known",
} as const;

export type FetchDetail = keyof typeof FETCH_DETAILS;

export class FetchFailure extends Error {
  override readonly name = "FetchFailure";
  readonly problem: FetchProblem;
  /** Undefined where nothing more is known. */
  readonly detail: FetchDetail | undefined;

  constructor(problem: FetchProblem, detail?: FetchDetail) {
    super(problem);
    this.problem = problem;
    this.detail = detail;
  }
}

/** The call of an API came to no response. `mayHaveArrived`: the request may have been acted on all the same. */
export class ApiFailure extends Error {
  override readonly name = "ApiFailure";
  readonly problem: "timeout" | "unreachable" | "broken";
  readonly mayHaveArrived: boolean;

  constructor(problem: ApiFailure["problem"], mayHaveArrived: boolean) {
    super(problem);
    this.problem = problem;
    this.mayHaveArrived = mayHaveArrived;
  }
}

/** The problems of an API in words, for the operator. */
export const API_PROBLEMS: Readonly<Record<ApiFailure["problem"], string>> = {
  timeout: "no answer in time",
  unreachable: "no connection",
  broken: "the connection broke, or the answer is not HTTP that can be read",
};

/** Problems by the error code of Node, OpenSSL or undici; any other code is `unreachable`. */
const PROBLEMS: Readonly<Record<string, readonly [FetchProblem, FetchDetail?]>> = {
  ENOTFOUND: ["unresolved"],
  ENODATA: ["unresolved"],
  ETIMEDOUT: ["timeout"],
  UND_ERR_CONNECT_TIMEOUT: ["timeout"],
  UND_ERR_HEADERS_TIMEOUT: ["timeout"],
  UND_ERR_HEADERS_OVERFLOW: ["too_large", "headers_too_large"],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: ["broken", "length"],
  UND_ERR_INVALID_ARG: ["bad_url"],
  CERT_HAS_EXPIRED: ["unreachable", "certificate_expired"],
  CERT_NOT_YET_VALID: ["unreachable", "certificate_not_yet_valid"],
  DEPTH_ZERO_SELF_SIGNED_CERT: ["unreachable", "certificate_self_signed"],
  ERR_TLS_CERT_ALTNAME_INVALID: ["unreachable", "certificate_wrong_host"],
  HOSTNAME_MISMATCH: ["unreachable", "certificate_wrong_host"],
  SELF_SIGNED_CERT_IN_CHAIN: ["unreachable", "certificate_untrusted"],
  UNABLE_TO_GET_ISSUER_CERT: ["unreachable", "certificate_untrusted"],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ["unreachable", "certificate_untrusted"],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ["unreachable", "certificate_untrusted"],
  CERT_SIGNATURE_FAILURE: ["unreachable", "certificate_untrusted"],
  CERT_UNTRUSTED: ["unreachable", "certificate_untrusted"],
  CERT_REJECTED: ["unreachable", "certificate_untrusted"],
  CERT_REVOKED: ["unreachable", "certificate_untrusted"],
  INVALID_CA: ["unreachable", "certificate_untrusted"],
  INVALID_PURPOSE: ["unreachable", "certificate_untrusted"],
};

/** What the parser of undici found wrong, by its own words. */
const PARSER_WORDS: readonly (readonly [RegExp, FetchDetail])[] = [
  [/content-length|transfer-encoding/i, "length"],
  [/chunk/i, "chunks"],
  [/header|response line/i, "headers_malformed"],
];

/** The meaning of an error of a connection, of the response headers or of the body. */
export function fetchFailureOf(thrown: unknown): FetchFailure {
  if (thrown instanceof FetchFailure) return thrown;
  const error = thrown as { code?: unknown; name?: unknown; message?: unknown; socket?: { bytesRead?: number } | null };
  const code = String(error.code);
  const known = Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code] : undefined;
  if (known) return new FetchFailure(...known);
  if (error.name === "HTTPParserError") {
    const words = String(error.message);
    return new FetchFailure("broken", PARSER_WORDS.find(([pattern]) => pattern.test(words))?.[1]);
  }
  // Something had come on this connection, if not in answer to this request.
  if (code === "UND_ERR_SOCKET" && (error.socket?.bytesRead ?? 0) > 0) return new FetchFailure("broken");
  return new FetchFailure("unreachable", /^ERR_SSL_|^EPROTO$/.test(code) ? "tls" : undefined);
}
