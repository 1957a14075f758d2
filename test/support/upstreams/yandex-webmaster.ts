import { randomUUID } from "node:crypto";
import { type Fake, jsonBody, type Received, type Reply } from "./fake.ts";
import type { World } from "./world.ts";

const NAME = "yandex_webmaster";
const USER = 4711;
const ZONE = "Europe/Moscow";

/** Yandex Webmaster. Quotas of a day by host: `world.quotas.set("yandex_webmaster https:example.com:443", 10)`. */
export const yandexWebmaster: Fake = (world) => {
  const queue = new Set<string>();
  return {
    [NAME](request) {
      const { method, path, headers } = request;
      if (!world.keys.has(NAME) || headers.authorization !== `OAuth ${world.keys.get(NAME)}`) {
        return yandexError(403, "INVALID_OAUTH_TOKEN");
      }
      const [, version, user, userId, hosts, hostId = "", recrawl, what] = path.split("/");
      if (version !== "v4" || user !== "user") return yandexError(404, "RESOURCE_NOT_FOUND");
      if (userId === undefined) return { status: 200, body: { user_id: USER } };
      if (Number(userId) !== USER) return yandexError(403, "INVALID_USER_ID");
      if (hosts === "hosts" && hostId === "") return { status: 200, body: { hosts: hostsOf(world) } };
      const isQueue = method === "POST" && recrawl === "recrawl" && what === "queue";
      return isQueue ? enqueue(world, queue, decodeURIComponent(hostId), request) : yandexError(404, "TASK_NOT_FOUND");
    },
  };
};

export function yandexError(status: number, error_code: string): Reply {
  return { status, body: { error_code, error_message: "some string" } };
}

function hostsOf(world: World): object[] {
  return [...world.yandexHosts].map(([host_id, verified]) => {
    const [scheme, name] = host_id.split(":");
    return { host_id, ascii_host_url: `${scheme}://${name}/`, unicode_host_url: `${scheme}://${name}/`, verified };
  });
}

function enqueue(world: World, queue: Set<string>, hostId: string, request: Received): Reply {
  if (!world.yandexHosts.has(hostId)) return yandexError(404, "HOST_NOT_FOUND");
  if (!world.yandexHosts.get(hostId)) return yandexError(404, "HOST_NOT_VERIFIED");
  const url = String(jsonBody(request)?.url);
  if (!URL.canParse(url) || world.invalid.has(url)) return yandexError(400, "INVALID_URL");
  if (queue.has(url)) return yandexError(409, "URL_ALREADY_ADDED");
  const pool = `${NAME} ${hostId}`;
  if (world.takeQuota(pool, ZONE, 1) === 0) return yandexError(429, "QUOTA_EXCEEDED");
  queue.add(url);
  world.recordSubmission(NAME, [url]);
  return {
    status: 202,
    body: { task_id: randomUUID(), quota_remainder: Math.min(world.quotaLeft(pool, ZONE), 10_000) },
  };
}
