import { errors } from "undici";

/** Why a visit came to nothing, in one of our words; never what a stranger sent. */
export type FetchProblem =
  | "bad_url" // not http(s), credentials in it, or it does not parse
  | "not_public" // address or port that is not open to us
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

/** `mayHaveArrived`: the request may have been acted on although no answer came. */
export class AskFailure extends Error {
  override readonly name = "AskFailure";
  readonly problem: "timeout" | "unreachable" | "broken";
  readonly mayHaveArrived: boolean;

  constructor(problem: AskFailure["problem"], mayHaveArrived: boolean) {
    super(problem);
    this.problem = problem;
    this.mayHaveArrived = mayHaveArrived;
  }
}

/** By the code of an error of Node or undici; what is not here is `unreachable`. */
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

/** What an error means that came before the headers were there. */
export function failureOf(thrown: unknown): FetchFailure {
  if (thrown instanceof FetchFailure) return thrown;
  const { code, socket } = thrown as { code?: unknown; socket?: { bytesRead?: number } | null };
  const hasSpoken = code === "UND_ERR_SOCKET" && (socket?.bytesRead ?? 0) > 0;
  const isNoHttp = thrown instanceof errors.HTTPParserError || hasSpoken;
  return new FetchFailure(PROBLEMS[String(code)] ?? (isNoHttp ? "broken" : "unreachable"));
}
