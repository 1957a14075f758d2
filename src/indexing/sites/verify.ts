import {
  FetchFailure,
  type FetchProblem,
  type HttpClient,
  type PublicResponse,
} from "../../platform/http-client/http-client.ts";

/** Result of checking a key file. With `no_answer` nothing is known about the host. */
export type KeyFileCheck =
  | { readonly result: "found"; readonly keyUrl: string }
  | { readonly result: (typeof KEY_FILE_PROBLEMS)[number] };

export const KEY_FILE_PROBLEMS = [
  "file_not_found",
  "other_content",
  "not_readable",
  "not_public",
  "no_answer",
] as const;

type Result = KeyFileCheck["result"] | "unreachable";

interface KeyFile {
  readonly host: string;
  readonly indexnowKey: string;
}

/** URL of the key file. It is at the root, so that it covers every page of the host (indexnow.org/documentation). */
export function keyUrlOf(scheme: "https" | "http", { host, indexnowKey }: KeyFile): string {
  return `${scheme}://${host}/${indexnowKey}.txt`;
}

const FILE = { accept: "text/plain", maxWireBytes: 4_096, maxBytes: 4_096, redirects: 2, sameHost: true } as const;

/**
 * Checks whether the host serves the key file: over https, and over http only if https is unreachable. Nothing of the
 * host's answer is kept.
 * @param timeMs time limit for each of the two, redirects included
 */
export async function checkKeyFile(http: HttpClient, file: KeyFile, timeMs = 10_000): Promise<KeyFileCheck> {
  for (const scheme of ["https", "http"] as const) {
    const keyUrl = keyUrlOf(scheme, file);
    const result = await fetchKeyFile(http, keyUrl, file.indexnowKey, timeMs);
    // The requested address, even after a redirect: a key file below the root covers its folder only.
    if (result === "found") return { result, keyUrl };
    if (result !== "unreachable") return { result };
  }
  return { result: "no_answer" };
}

async function fetchKeyFile(http: HttpClient, url: string, key: string, timeMs: number): Promise<Result> {
  try {
    const response = await http.fetchPublic(url, { ...FILE, timeMs });
    if (response.status === 200 && isSameHost(response.url, url)) {
      return (await textOf(response)) === key ? "found" : "other_content";
    }
    response.discard();
    return resultOfStatus(response.status);
  } catch (thrown) {
    if (!(thrown instanceof FetchFailure)) throw thrown;
    return RESULT_OF_PROBLEM[thrown.problem];
  }
}

/** Compares hosts with their ports. Another port is another host, whose content proves nothing here. */
function isSameHost(one: string, other: string): boolean {
  return new URL(one).host === new URL(other).host;
}

/** The body as text. `trim` removes a byte order mark as if it were a space. */
async function textOf({ body }: PublicResponse): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8").trim();
}

const TRY_LATER = [408, 425, 429];

function resultOfStatus(status: number): Result {
  if (status === 404 || status === 410) return "file_not_found";
  return status >= 500 || TRY_LATER.includes(status) ? "no_answer" : "not_readable";
}

const RESULT_OF_PROBLEM: Readonly<Record<FetchProblem, Result>> = {
  bad_url: "not_readable",
  not_public: "not_public",
  unresolved: "no_answer",
  unreachable: "unreachable",
  timeout: "no_answer",
  too_large: "other_content",
  too_many_redirects: "not_readable",
  // The host did answer.
  left_host: "not_readable",
  broken: "not_readable",
};
