import { randomBytes } from "node:crypto";
import { type Fake, jsonBody, type Reply, textsOf } from "./fake.ts";
import type { World } from "./world.ts";

const NAME = "speedyindex";

interface Task {
  readonly id: string;
  readonly title: string;
  readonly urls: readonly string[];
  readonly created_at: string;
  vip: boolean;
}

/** SpeedyIndex v2. A link costs one credit, and one more in the VIP queue. */
export const speedyIndex: Fake = (world) => {
  const tasks: Task[] = [];
  return {
    [NAME](request) {
      if (!world.keys.has(NAME) || request.headers.authorization !== world.keys.get(NAME)) return { status: 401 };
      const { method, path } = request;
      const body = jsonBody(request);
      if (method === "GET" && path === "/v2/account") return code(0, { balance: { indexer: left(world), checker: 0 } });
      const [, what, page] = /^\/v2\/task\/google\/indexer\/(\w+)(?:\/(\d+))?$/.exec(path) ?? [];
      if (method === "GET" && what === "list") return listOf(tasks, Number(page));
      if (method !== "POST") return { status: 404 };
      if (what === "create") return create(world, tasks, textsOf(body?.urls), String(body?.title ?? ""));
      if (what === "vip") return moveToVip(world, tasks, String(body?.task_id));
      return { status: 404 };
    },
  };
};

function code(value: number, more: object = {}): Reply {
  return { status: 200, body: { code: value, ...more } };
}

function left(world: World): number {
  return Math.min(world.credits.get(NAME) ?? 10_014_495, 10_014_495);
}

function create(world: World, tasks: Task[], urls: readonly string[], title: string): Reply {
  if (urls.length > 1_000) return { status: 413, body: "<html>413 Request Entity Too Large</html>" };
  if (urls.some((url) => world.invalid.has(url) || !URL.canParse(url))) return code(2, { error: "urls" });
  if (!world.pay(NAME, urls.length)) return code(1, { message: "Insufficient token balance." });
  const created_at = new Date(world.clock.service()).toISOString();
  const task = { id: randomBytes(12).toString("hex"), title, urls, created_at, vip: false };
  tasks.unshift(task);
  world.recordSubmission(NAME, urls);
  return code(0, { task_id: task.id, type: "google/indexer" });
}

function moveToVip(world: World, tasks: readonly Task[], id: string): Reply {
  const task = tasks.find((one) => one.id === id);
  if (!task) return code(-3, { message: "Task not found" });
  if (task.vip) return code(-4, { message: "Already added" });
  if (task.urls.length > 100) return code(-5, { message: "More than 100 links" });
  if (!world.pay(NAME, task.urls.length)) return code(1, { message: "Insufficient token balance." });
  task.vip = true;
  return code(0, { message: "OK" });
}

function listOf(tasks: readonly Task[], page: number): Reply {
  const result = tasks.slice(page * 1_000, (page + 1) * 1_000).map(({ id, title, urls, created_at }) => ({
    id,
    size: urls.length,
    processed_count: 0,
    indexed_count: 0,
    title,
    type: "google/indexer",
    created_at,
  }));
  return code(0, { page, last_page: Math.max(0, Math.ceil(tasks.length / 1_000) - 1), result });
}
