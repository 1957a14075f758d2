import type { RequestListener } from "node:http";
import {
  AgentCard,
  CancelTaskRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  Message,
  SendMessageRequest,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
} from "@a2a-js/sdk";
import { UnsupportedOperationError } from "@a2a-js/sdk/errors";
import type { A2ARequestHandler, ServerCallContext } from "@a2a-js/sdk/server";
import { jsonRpcHandler, restHandler, UserBuilder } from "@a2a-js/sdk/server/express";
import express from "express";
import type { A2aCall, A2aMethods } from "../../../a2a/methods.ts";
import { A2A } from "../../../a2a/path.ts";

const SERVED = [
  ["JSONRPC", "1.0"],
  ["JSONRPC", "0.3"],
  ["HTTP+JSON", "1.0"],
];

const CARD = AgentCard.fromJSON({
  supportedInterfaces: SERVED.map(([protocolBinding, protocolVersion]) => ({ protocolBinding, protocolVersion })),
  capabilities: { streaming: true, pushNotifications: true },
});

/** The bindings of @a2a-js/sdk, at the same addresses and in front of the same methods as ours. All requests have one caller. */
export function sdkServer(methods: A2aMethods, caller: Pick<A2aCall, "caller" | "admission">): RequestListener {
  const requestHandler = sdkRequestHandler(methods, caller);
  const options = { requestHandler, userBuilder: UserBuilder.noAuthentication };
  const app = express();
  // The handler of JSON-RPC refuses the media type of HTTP+JSON on every path below its own.
  const jsonRpc = jsonRpcHandler({ ...options, legacyCompat: { enabled: true } });
  const rest = restHandler(options);
  app.use(A2A, (req, res, next) => (req.path === "/" ? jsonRpc(req, res, next) : rest(req, res, next)));
  return app;
}

function sdkRequestHandler(methods: A2aMethods, who: Pick<A2aCall, "caller" | "admission">): A2ARequestHandler {
  const callOf = (context: ServerCallContext): A2aCall => ({
    ...who,
    extensions: [...(context.requestedExtensions ?? [])],
    signal: new AbortController().signal,
    activate: (uri) => context.addActivatedExtension(uri),
  });
  // The SDK's toJSON has no type of its own: it gives what is on the wire.
  const wire = (json: unknown) => json as never;
  async function* events(answers: AsyncIterable<unknown>): AsyncGenerator<StreamResponse, void, undefined> {
    for await (const answer of answers) yield StreamResponse.fromJSON(answer);
  }
  return {
    getAgentCard: async () => CARD,
    async getAuthenticatedExtendedAgentCard() {
      throw new UnsupportedOperationError();
    },
    async sendMessage(params, context) {
      const answer = await methods.sendMessage(wire(SendMessageRequest.toJSON(params)), callOf(context));
      return "task" in answer ? Task.fromJSON(answer.task) : Message.fromJSON(answer.message);
    },
    sendMessageStream: (params, context) =>
      events(methods.streamMessage(wire(SendMessageRequest.toJSON(params)), callOf(context))),
    getTask: async (params, context) =>
      Task.fromJSON(await methods.getTask(wire(GetTaskRequest.toJSON(params)), callOf(context))),
    listTasks: async (params, context) =>
      ListTasksResponse.fromJSON(await methods.listTasks(wire(ListTasksRequest.toJSON(params)), callOf(context))),
    cancelTask: async (params, context) =>
      Task.fromJSON(await methods.cancelTask(wire(CancelTaskRequest.toJSON(params)), callOf(context))),
    resubscribe: ({ id }, context) => events(methods.subscribe({ id }, callOf(context))),
    createTaskPushNotificationConfig: async (params, context) => {
      const request = wire(TaskPushNotificationConfig.toJSON(params));
      return TaskPushNotificationConfig.fromJSON(await methods.createPushConfig(request, callOf(context)));
    },
    getTaskPushNotificationConfig: async ({ taskId, id }, context) =>
      TaskPushNotificationConfig.fromJSON(await methods.getPushConfig({ taskId, id }, callOf(context))),
    listTaskPushNotificationConfigs: async ({ taskId }, context) =>
      ListTaskPushNotificationConfigsResponse.fromJSON(await methods.listPushConfigs({ taskId }, callOf(context))),
    deleteTaskPushNotificationConfig: async ({ taskId, id }, context) =>
      void (await methods.deletePushConfig({ taskId, id }, callOf(context))),
  };
}
