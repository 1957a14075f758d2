import {
  AgentCard,
  CancelTaskRequest,
  type DeleteTaskPushNotificationConfigRequest,
  type GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  type ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  Message,
  SendMessageRequest,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
} from "@a2a-js/sdk";
import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import { ExtendedAgentCardNotConfiguredError } from "@a2a-js/sdk/errors";
import type { A2ARequestHandler, ServerCallContext } from "@a2a-js/sdk/server";
import { dropNulls } from "../../src/contract/nulls.ts";
import type { MethodResult } from "./dispatch.ts";
import { Fault } from "./errors.ts";
import type { HttpExchange } from "./exchange.ts";
import { createPushConfigRequest, pushConfigRequest, pushConfigsRequest } from "./push-requests.ts";
import { getTaskRequest, sendMessageRequest, taskIdRequest } from "./requests.ts";
import { startStream } from "./sse.ts";

/**
 * A2A 0.3 over JSON-RPC. The SDK translates requests into the requests of 1.0, and the answers back. In between the
 * same schemas and the same methods handle them.
 *
 * This file is loaded with the first request of a 0.3 client.
 */

/** @throws Fault, Refusal, errors of the protocol */
export async function answerLegacy(
  { id, method, params }: { id: string | number | null; method: string; params: unknown },
  exchange: HttpExchange,
): Promise<MethodResult> {
  if (!METHODS.has(method)) {
    const message = "There is no such method in A2A 0.3, the version of a request without `A2A-Version`.";
    throw new Fault("METHOD_NOT_FOUND", message);
  }
  const bridge = new Bridge(exchange);
  const handler = new LegacyJsonRpcTransportHandler(bridge as unknown as A2ARequestHandler);
  if (typeof params === "object" && params !== null) dropNulls(params, "data");
  keepFirstScheme(params);
  const answer = await handler.handle({ jsonrpc: "2.0", id, method, params }, NO_CONTEXT);
  if (Symbol.asyncIterator in answer) return { events: await startStream(resultsOf(answer), exchange.call.signal) };
  if (!("error" in answer)) return { result: answer.result };
  if (bridge.thrown !== undefined) throw bridge.thrown;
  // The SDK's message for what it could not translate may reveal its internals.
  if (bridge.isReached) throw new Error("an answer has no form in A2A 0.3", { cause: answer.error });
  throw invalidParams();
}

/** The SDK uses the first scheme of a push configuration. Where there are more it prints them, which would be a stranger's text. */
function keepFirstScheme(params: unknown): void {
  type HasConfig = { readonly pushNotificationConfig?: { readonly authentication?: { readonly schemes?: unknown } } };
  const given = params as (HasConfig & { readonly configuration?: HasConfig }) | null | undefined;
  for (const { pushNotificationConfig } of [given ?? {}, given?.configuration ?? {}]) {
    const schemes = pushNotificationConfig?.authentication?.schemes;
    if (Array.isArray(schemes)) schemes.splice(1);
  }
}

const invalidParams = () => new Fault("INVALID_PARAMS", "The parameters are not valid for this method in A2A 0.3.");

/**
 * What the SDK translated, in JSON. It copies values without looking at their types, so writing one of them may fail:
 * a number that is an object with a `toString` of its own has no value.
 *
 * @throws Fault INVALID_PARAMS
 */
function wireOf<T>(type: { toJSON(message: T): unknown }, message: T): unknown {
  try {
    return type.toJSON(message);
  } catch {
    throw invalidParams();
  }
}

const METHODS: ReadonlySet<string> = new Set([
  "message/send",
  "message/stream",
  "tasks/get",
  "tasks/cancel",
  "tasks/resubscribe",
  "tasks/pushNotificationConfig/set",
  "tasks/pushNotificationConfig/get",
  "tasks/pushNotificationConfig/list",
  "tasks/pushNotificationConfig/delete",
  "agent/getAuthenticatedExtendedCard",
]);

/** The bridge knows its caller; the SDK only passes this on. */
const NO_CONTEXT = {} as ServerCallContext;

const CARD = AgentCard.fromJSON({ capabilities: { streaming: true, pushNotifications: true } });

type BridgedMethods = Omit<A2ARequestHandler, "listTasks">;

/** Our methods as the SDK's request handler. They take and return the SDK's objects, not the objects of the wire. */
class Bridge implements BridgedMethods {
  /** Whether the SDK could translate the request: a failure before is the client's fault, one after it is ours. */
  isReached = false;
  thrown: unknown;
  readonly #exchange: HttpExchange;

  constructor(exchange: HttpExchange) {
    this.#exchange = exchange;
  }

  async getAgentCard() {
    return CARD;
  }

  sendMessage(params: SendMessageRequest) {
    return this.#keep(async ({ methods }) => {
      const sent = await methods.sendMessage(sendMessageRequest(wireOf(SendMessageRequest, params)), this.#call);
      return "task" in sent ? Task.fromJSON(sent.task) : Message.fromJSON(sent.message);
    });
  }

  sendMessageStream(params: SendMessageRequest) {
    this.isReached = true;
    const { methods } = this.#exchange;
    return toSdkEvents(() => methods.streamMessage(sendMessageRequest(wireOf(SendMessageRequest, params)), this.#call));
  }

  resubscribe(params: { id: string }) {
    this.isReached = true;
    const { methods, call } = this.#exchange;
    return toSdkEvents(() => methods.subscribe(taskIdRequest({ id: params.id }), call));
  }

  getTask(params: GetTaskRequest) {
    return this.#keep(async ({ methods, call }) =>
      Task.fromJSON(await methods.getTask(getTaskRequest(wireOf(GetTaskRequest, params)), call)),
    );
  }

  cancelTask(params: CancelTaskRequest) {
    return this.#keep(async ({ methods, call }) =>
      Task.fromJSON(await methods.cancelTask(taskIdRequest(wireOf(CancelTaskRequest, params)), call)),
    );
  }

  getAuthenticatedExtendedAgentCard() {
    return this.#keep<never>(async () => {
      throw new ExtendedAgentCardNotConfiguredError();
    });
  }

  createTaskPushNotificationConfig(params: TaskPushNotificationConfig) {
    return this.#keep(async ({ methods }) => {
      const request = createPushConfigRequest(wireOf(TaskPushNotificationConfig, params));
      return TaskPushNotificationConfig.fromJSON(await methods.createPushConfig(request, this.#call));
    });
  }

  /** In 0.3 the id may be left out: the first one is answered then. */
  getTaskPushNotificationConfig({ taskId, id }: GetTaskPushNotificationConfigRequest) {
    return this.#keep(async ({ methods }) => {
      const found = id === "" ? await this.#firstConfig(taskId) : null;
      const request = pushConfigRequest({ taskId, id: found?.id ?? (id || "none") });
      return TaskPushNotificationConfig.fromJSON(found ?? (await methods.getPushConfig(request, this.#call)));
    });
  }

  async #firstConfig(taskId: string) {
    return (await this.#exchange.methods.listPushConfigs(pushConfigsRequest({ taskId }), this.#call)).configs[0];
  }

  listTaskPushNotificationConfigs({ taskId }: ListTaskPushNotificationConfigsRequest) {
    return this.#keep(async ({ methods }) => {
      const listed = await methods.listPushConfigs(pushConfigsRequest({ taskId }), this.#call);
      return ListTaskPushNotificationConfigsResponse.fromJSON(listed);
    });
  }

  deleteTaskPushNotificationConfig({ taskId, id }: DeleteTaskPushNotificationConfigRequest) {
    return this.#keep(async ({ methods }) => {
      await methods.deletePushConfig(pushConfigRequest({ taskId, id }), this.#call);
    });
  }

  /** Notifications use the form of 0.3 too. */
  get #call() {
    return { ...this.#exchange.call, protocol: "0.3" } as const;
  }

  /** Keeps what was thrown, because the SDK turns it into an error of 0.3 with the same message. */
  async #keep<T>(run: (exchange: HttpExchange) => Promise<T>): Promise<T> {
    this.isReached = true;
    try {
      return await run(this.#exchange);
    } catch (thrown) {
      this.thrown = thrown;
      throw thrown;
    }
  }
}

async function* toSdkEvents(open: () => AsyncIterable<unknown>): AsyncGenerator<StreamResponse, void, undefined> {
  for await (const event of open()) yield StreamResponse.fromJSON(event);
}

async function* resultsOf(answers: AsyncIterable<object>): AsyncGenerator<unknown> {
  for await (const answer of answers) yield (answer as { result: unknown }).result;
}
