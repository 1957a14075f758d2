import { execFileSync } from "node:child_process";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { AgentCard, TaskState } from "@a2a-js/sdk";
import { AgentEvent, type AgentExecutor, DefaultRequestHandler } from "@a2a-js/sdk/server";
import { DatabaseTaskStore } from "@a2a-js/sdk/server/database";
import { jsonRpcHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import Database from "better-sqlite3";
import express from "express";
import { Kysely, SqliteDialect } from "kysely";
import { packageRoot } from "../src/platform/package-root.ts";
import { measured } from "./measured.ts";

/**
 * The peer of `bench/a2a.ts`: the SDK's own handler over its own task store in SQLite, as durable as ours, with an agent
 * that does nothing but complete its task; callers are not identified.
 */
const file = process.argv[2]!;
execFileSync(process.execPath, [
  join(packageRoot, "bench/node_modules/.bin/a2a-db"),
  "upgrade",
  "--url",
  `sqlite:${file}`,
]);
const sqlite = new Database(file);
sqlite.pragma("journal_mode = WAL");
sqlite.pragma("synchronous = FULL");
const store = new DatabaseTaskStore(new Kysely({ dialect: new SqliteDialect({ database: sqlite }) }));

/** Publishes one event, the fewest that the protocol allows. */
const agent: AgentExecutor = {
  async execute({ taskId, contextId, userMessage }, bus) {
    const part = {
      content: { $case: "data" as const, value: { ok: true } },
      mediaType: "application/json",
      filename: "",
      metadata: undefined,
    };
    bus.publish(
      AgentEvent.task({
        id: taskId,
        contextId,
        status: { state: TaskState.TASK_STATE_COMPLETED, message: undefined, timestamp: new Date().toISOString() },
        artifacts: [
          { artifactId: "1", name: "nothing", description: "", parts: [part], metadata: undefined, extensions: [] },
        ],
        history: [userMessage],
        metadata: undefined,
      }),
    );
    bus.finished();
  },
  cancelTask: async () => undefined,
};

const card = AgentCard.fromJSON({
  name: "peer",
  description: "does nothing",
  version: "1.0.0",
  supportedInterfaces: [{ url: "http://127.0.0.1/", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  capabilities: { streaming: true },
  defaultInputModes: ["application/json"],
  defaultOutputModes: ["application/json"],
  skills: [],
});
const app = express();
app.use(
  jsonRpcHandler({
    requestHandler: new DefaultRequestHandler(card, store, agent),
    userBuilder: UserBuilder.noAuthentication,
  }),
);
const server = app.listen(0, "127.0.0.1", () => {
  measured({ address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
});
