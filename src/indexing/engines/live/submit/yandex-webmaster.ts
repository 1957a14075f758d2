import type { ApiResponse } from "../../../../platform/http-client/http-client.ts";
import { retryAfter } from "../../../../platform/http-client/retry-after.ts";
import { nextMidnight } from "../../../providers/calendar.ts";
import { UpstreamFailure } from "../../../providers/failure.ts";
import { type Api, ask, baseOf, failureOf, jsonOf, notArrived, objectIn, quotaOf } from "../api.ts";
import type { Channel, ChannelOutcome } from "../channel.ts";
import { assumeNotArrived } from "./repeat-call.ts";

const NAME = "yandex_webmaster";

/** Time zone of Yandex's daily quotas. */
const ZONE = "Europe/Moscow";

/**
 * Yandex Webmaster's recrawl queue (https://yandex.com/dev/webmaster/doc/en/reference/host-recrawl-post), for hosts
 * of the operator's account. A call has one URL, and each host has a daily quota. A URL that is already queued costs
 * nothing, so a call can be repeated.
 */
export function yandexWebmaster(api: Api, token: string): Channel {
  const userPath = pathOfUser(api, token);
  /** Until when each host's quota is used up, according to Yandex's last answer, in service ms. */
  const spentUntil = new Map<string, number>();
  return {
    name: NAME,
    lane: "yandex",
    batchSize: 1,
    concurrency: 4,
    perHost: true,
    async refuses({ site }) {
      if (!site) return "host_not_verified";
      return site.connections[NAME] === undefined ? "host_not_connected" : null;
    },
    quota: ({ site }) => quotaOf(api, NAME, { name: `${NAME} ${site!.host}`, zone: ZONE }),
    async send({ urls, site }) {
      const hostId = site!.connections[NAME]!;
      const until = spentUntil.get(hostId) ?? 0;
      if (until > api.clock.service()) throw new UpstreamFailure(NAME, "quota", { until });
      const path = `${await userPath()}/hosts/${encodeURIComponent(hostId)}/recrawl/queue`;
      const headers = { Authorization: `OAuth ${token}`, "Content-Type": "application/json" };
      const answer = await ask(api, NAME, {
        method: "POST",
        url: path,
        headers,
        body: JSON.stringify({ url: urls[0] }),
      });
      const { outcome, left } = outcomeOf(api, answer);
      if (left === 0) spentUntil.set(hostId, midnight(api));
      return [outcome];
    },
    lookUp: assumeNotArrived,
  };
}

/** The id of the host, if the operator's account has verified it, otherwise null. @throws UpstreamFailure */
export async function findYandexHost(api: Api, host: string): Promise<string | null> {
  const token = api.settings.YANDEX_WEBMASTER_TOKEN ?? "";
  const path = await pathOfUser(api, token)();
  const headers = { Authorization: `OAuth ${token}` };
  const answer = await ask(api, NAME, { method: "GET", url: `${path}/hosts`, headers });
  const { hosts, error_code: code } = objectOf(answer);
  if (answer.status !== 200 || code !== undefined) throw failureOfCode(api, answer);
  if (!Array.isArray(hosts)) throw new UpstreamFailure(NAME, "bad_answer");
  const verified = hosts.filter((one) => one?.verified === true).map(({ host_id: id }) => String(id));
  const hasPort = /:\d+$/.test(host);
  const candidates = hasPort ? [`https:${host}`, `http:${host}`] : [`https:${host}:443`, `http:${host}:80`];
  return candidates.find((id) => verified.includes(id)) ?? null;
}

/** Base URL for the token's user. The user's id is fetched once. */
function pathOfUser(api: Api, token: string): () => Promise<string> {
  const base = `${baseOf(api, NAME, "https://api.webmaster.yandex.net")}/v4/user`;
  let path: Promise<string> | null = null;
  async function fetchPath(): Promise<string> {
    const answer = await ask(api, NAME, { method: "GET", url: base, headers: { Authorization: `OAuth ${token}` } });
    const { user_id: id, error_code: code } = objectOf(answer);
    if (answer.status !== 200 || code !== undefined) throw failureOfCode(api, answer);
    if (typeof id !== "number" && typeof id !== "string") throw new UpstreamFailure(NAME, "bad_answer");
    return `${base}/${encodeURIComponent(id)}`;
  }
  return () => {
    path ??= fetchPath().catch((thrown) => {
      path = null;
      return notArrived(thrown);
    });
    return path;
  };
}

function outcomeOf(api: Api, answer: ApiResponse): { outcome: ChannelOutcome; left?: unknown } {
  const { error_code: code, quota_remainder: left, task_id: task } = objectOf(answer);
  if (code !== undefined) {
    const outcome = OUTCOMES[String(code)];
    if (!outcome) throw failureOfCode(api, answer);
    return { outcome };
  }
  if (answer.status >= 300) throw failureOf(api, NAME, answer);
  if (typeof task !== "string") throw new UpstreamFailure(NAME, "bad_answer");
  return { outcome: { kind: "accepted" }, left };
}

/** Codes about the URL or its host. They say nothing about our credentials or about Yandex. */
const OUTCOMES: Readonly<Record<string, ChannelOutcome>> = {
  URL_ALREADY_ADDED: { kind: "accepted", detail: "already_queued" },
  INVALID_URL: { kind: "rejected", detail: "invalid_url" },
  HOST_NOT_FOUND: { kind: "rejected", detail: "host_not_connected" },
  HOST_NOT_VERIFIED: { kind: "rejected", detail: "host_not_connected" },
  HOST_NOT_INDEXED: { kind: "rejected", detail: "host_not_ready" },
  HOST_NOT_LOADED: { kind: "rejected", detail: "host_not_ready" },
};

/** https://yandex.com/dev/webmaster/doc/en/reference/errors */
function failureOfCode(api: Api, answer: ApiResponse): UpstreamFailure {
  const { error_code: code } = objectOf(answer);
  if (code === "QUOTA_EXCEEDED") return new UpstreamFailure(NAME, "quota", { until: midnight(api) });
  if (code === "TOO_MANY_REQUESTS_ERROR")
    return new UpstreamFailure(NAME, "rate_limited", { until: retryAfter(answer.headers, api.clock) });
  if (UNAUTHORIZED.includes(String(code))) return new UpstreamFailure(NAME, "unauthorized");
  if (answer.status < 300) return new UpstreamFailure(NAME, "refused");
  return failureOf(api, NAME, answer);
}

const UNAUTHORIZED: readonly string[] = ["INVALID_OAUTH_TOKEN", "INVALID_USER_ID", "ACCESS_FORBIDDEN"];

function midnight({ clock }: Api): number {
  return nextMidnight(ZONE, clock.service());
}

/** The answer as an object. A failed answer that is not JSON becomes an empty object. */
function objectOf(answer: ApiResponse): Record<string, unknown> {
  return answer.status < 300 ? Object(jsonOf(NAME, answer)) : objectIn(answer);
}
