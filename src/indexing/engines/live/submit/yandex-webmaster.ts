import type { ApiResponse } from "../../../../platform/http-client/http-client.ts";
import { UpstreamFailure } from "../../../providers/failure.ts";
import { type Answers, type Api, ask, baseOf, failureOf, jsonOf, notArrived, objectIn, quotaOf } from "../api.ts";
import type { Channel } from "../channel.ts";
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
  return {
    name: NAME,
    lane: "yandex",
    batchSize: 1,
    concurrency: 4,
    perHost: true,
    async refuses({ site }) {
      if (!site || site.isUnverified) return "host_not_verified";
      return site.connections[NAME] === undefined ? "host_not_connected" : null;
    },
    quota: ({ site }) => quotaOf(api, NAME, { site: site!.host, isPerSite: true, zone: ZONE }),
    async send({ urls, site }) {
      const url = `${await userPath()}/hosts/${encodeURIComponent(site!.connections[NAME]!)}/recrawl/queue`;
      const headers = { Authorization: `OAuth ${token}`, "Content-Type": "application/json" };
      const answer = await ask(api, NAME, { method: "POST", url, headers, body: JSON.stringify({ url: urls[0] }) });
      const { error_code: code } = objectIn(answer);
      if (code === ALREADY_ADDED) return "already_queued";
      const { task_id: task } = answered(api, answer);
      if (typeof task !== "string") throw new UpstreamFailure(NAME, "bad_answer");
      return null;
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
  const { hosts } = answered(api, answer);
  if (!Array.isArray(hosts)) throw new UpstreamFailure(NAME, "bad_answer");
  const verified = hosts.filter((one) => one?.verified === true).map(({ host_id: id }) => String(id));
  const hasPort = /:\d+$/.test(host);
  const candidates = hasPort ? [`https:${host}`, `http:${host}`] : [`https:${host}:443`, `http:${host}:80`];
  return candidates.find((id) => verified.includes(id)) ?? null;
}

/** Base URL for the token's user, whose id is fetched once. */
export function pathOfUser(api: Api, token: string): () => Promise<string> {
  const base = `${baseOf(api, NAME, "https://api.webmaster.yandex.net")}/v4/user`;
  let path: Promise<string> | null = null;
  async function fetchPath(): Promise<string> {
    const answer = await ask(api, NAME, { method: "GET", url: base, headers: { Authorization: `OAuth ${token}` } });
    const { user_id: id } = answered(api, answer);
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

/** The URL is in the queue already, and costs nothing. */
const ALREADY_ADDED = "URL_ALREADY_ADDED";

/** https://yandex.com/dev/webmaster/doc/en/reference/errors */
const ANSWERS: Answers = {
  ENTITY_VALIDATION_ERROR: "invalid_url",
  FIELD_VALIDATION_ERROR: "invalid_url",
  INVALID_URL: "invalid_url",
  INVALID_OAUTH_TOKEN: "unauthorized",
  INVALID_USER_ID: "unauthorized",
  ACCESS_FORBIDDEN: "unauthorized",
  HOST_NOT_FOUND: "host_not_connected",
  HOST_NOT_VERIFIED: "host_not_connected",
  HOST_NOT_INDEXED: "host_not_ready",
  HOST_NOT_LOADED: "host_not_ready",
  QUOTA_EXCEEDED: ["quota", "site"],
  TOO_MANY_REQUESTS_ERROR: "rate_limited",
};

/** The content of a successful answer. @throws UpstreamFailure of another one, whatever its status */
function answered(api: Api, answer: ApiResponse): Record<string, unknown> {
  const { error_code: code } = objectIn(answer);
  if (code === undefined && answer.status < 300) return Object(jsonOf(NAME, answer));
  const status = code === undefined ? answer.status : Math.max(400, answer.status);
  throw failureOf(api, NAME, { ...answer, status }, ANSWERS, code);
}
