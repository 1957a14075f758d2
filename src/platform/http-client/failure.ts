/** Why a fetch failed, as one of these words; never what a stranger's server sent. */
export type FetchProblem =
  | "bad_url" // not http(s), credentials in it, or it does not parse
  | "not_public" // an address or a port that we do not connect to
  | "unresolved" // no such host
  | "unreachable" // refused, reset, TLS
  | "timeout"
  | "too_large"
  | "too_many_redirects"
  | "broken"; // not HTTP, a Content-Encoding we did not ask for, broken gzip, a redirect to nowhere or against `sameHost`

export class FetchFailure extends Error {
  override readonly name = "FetchFailure";
  readonly problem: FetchProblem;

  constructor(problem: FetchProblem) {
    super(problem);
    this.problem = problem;
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

/** Problems by the error code of Node or undici; any other code is `unreachable`. */
const PROBLEMS: Readonly<Record<string, FetchProblem>> = {
  ENOTFOUND: "unresolved",
  ENODATA: "unresolved",
  ETIMEDOUT: "timeout",
  UND_ERR_CONNECT_TIMEOUT: "timeout",
  UND_ERR_HEADERS_TIMEOUT: "timeout",
  UND_ERR_HEADERS_OVERFLOW: "too_large",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "broken",
  UND_ERR_INVALID_ARG: "bad_url",
};

/** The meaning of an error that came before the response headers. */
export function fetchFailureOf(thrown: unknown): FetchFailure {
  if (thrown instanceof FetchFailure) return thrown;
  const { code, name, socket } = thrown as { code?: unknown; name?: unknown; socket?: { bytesRead?: number } | null };
  const hasAnswered = code === "UND_ERR_SOCKET" && (socket?.bytesRead ?? 0) > 0;
  const isNoHttp = name === "HTTPParserError" || hasAnswered;
  return new FetchFailure(PROBLEMS[String(code)] ?? (isNoHttp ? "broken" : "unreachable"));
}
