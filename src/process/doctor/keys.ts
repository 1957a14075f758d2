import { type KeyCheck, tryKeys } from "../../indexing/engines/live/key-checks.ts";
import type { FailureKind } from "../../indexing/providers/failure.ts";
import { AnchoredClock, SECOND } from "../../platform/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import { formatNumber } from "../../platform/format.ts";
import { createHttpClient, type HttpClient } from "../../platform/http-client/http-client.ts";
import type { Check } from "./check.ts";

/** How long a provider may take to answer. */
const PATIENCE_MS = 10 * SECOND;

/** A larger difference from the clocks of others is reported: tokens, codes and signatures depend on the time. */
const SKEWED_MS = 30 * SECOND;

/** The credential of each provider, by the call of its API that costs nothing, and this machine's clock beside theirs. */
export async function checkKeys(config: Config): Promise<Check[]> {
  if (config.mode === "sandbox") return [];
  const http = createHttpClient(config);
  const skews: number[] = [];
  try {
    const now = Date.now();
    const clock = new AnchoredClock({ realAt: now, serviceAt: now, scale: 1 });
    const api = { http: noting(http, skews), clock, settings: config.providers };
    const keys = await tryKeys(api, config.engines);
    return [...keys.map(keyCheck), ...clockCheck(skews)];
  } catch (thrown) {
    const remedy = "Correct the setting that the message names.";
    return [{ name: "Keys", ok: false, found: (thrown as Error).message, remedy }];
  } finally {
    await http.close();
  }
}

function keyCheck({ provider, settings, failure, left }: KeyCheck): Check {
  const name = `Key of ${provider}`;
  const names = settings.join(" and ");
  if (failure === "quota" || (failure === null && left !== null && left <= 0)) {
    const remedy = `Top up the account of ${names} at ${provider}. Its work waits until then, or goes to another provider.`;
    return { name, ok: false, severity: "warning", found: "accepted, and nothing is left to spend", remedy };
  }
  if (failure === null)
    return { name, ok: true, found: `accepted${left === null ? "" : `, ${formatNumber(left)} left to spend`}` };
  const remedy = (REMEDIES[failure] ?? UNCLEAR).replaceAll("{settings}", names).replaceAll("{provider}", provider);
  const isPassing = PASSING.has(failure);
  return { name, ok: false, ...(isPassing ? { severity: "warning" } : {}), found: FOUND[failure] ?? failure, remedy };
}

const FOUND: Readonly<Partial<Record<FailureKind, string>>> = {
  unauthorized: "refused",
  timeout: "the provider does not answer in time",
  unreachable: "the provider cannot be reached",
  server_error: "the provider answers with an error of its own",
  bad_answer: "the answer makes no sense: something else may answer at this address",
  rate_limited: "the provider asks for a pause",
};

const REMEDIES: Readonly<Partial<Record<FailureKind, string>>> = {
  unauthorized: "Make a new key at {provider}, put it into {settings}, and restart the service.",
  timeout: "Try again. If it stays, look at the status page of {provider}, and whether a firewall holds its answers.",
  unreachable: "Check that this machine can reach {provider}: DNS, firewall, or its address in PROVIDER_URLS.",
  bad_answer: "Check the address of {provider} in PROVIDER_URLS, and whether a proxy answers in its place.",
};
const UNCLEAR = "Nothing to do: work is retried by itself. If it stays, look at the status page of {provider}.";

/** What goes away by itself. */
const PASSING: ReadonlySet<FailureKind> = new Set(["server_error", "rate_limited", "timeout"]);

/** Notes by how many ms this machine's clock is ahead of the clock of each answer (RFC 9110, Date). */
function noting(http: HttpClient, skews: number[]): HttpClient {
  return {
    ...http,
    async callApi(request) {
      const answer = await http.callApi({ ...request, timeMs: PATIENCE_MS });
      const at = Date.parse(answer.headers.date ?? "");
      if (!Number.isNaN(at)) skews.push(Date.now() - at);
      return answer;
    },
  };
}

/** The median, since one provider's own clock may be wrong. */
function clockCheck(skews: readonly number[]): Check[] {
  if (skews.length === 0) return [];
  const skew = [...skews].sort((a, b) => a - b)[Math.floor(skews.length / 2)]!;
  const seconds = formatNumber(Math.round(Math.abs(skew) / SECOND));
  const found =
    Math.abs(skew) < SKEWED_MS
      ? "this machine's clock agrees with the clocks of providers"
      : `this machine's clock is ${seconds} s ${skew > 0 ? "ahead of" : "behind"} the clocks of providers`;
  const remedy = "Set the clock of this machine right, and let NTP keep it: Google's tokens and codes of apps fail.";
  return [{ name: "Clock of others", ok: Math.abs(skew) < SKEWED_MS, found, remedy }];
}
