import {
  AgentCard,
  CancelTaskRequest,
  GetTaskRequest,
  Message,
  SendMessageRequest,
  StreamResponse,
  Task,
} from "@a2a-js/sdk";
import { LegacyJsonRpcTransportHandler } from "@a2a-js/sdk/compat/v0_3/server";
import { ExtendedAgentCardNotConfiguredError } from "@a2a-js/sdk/errors";
import type { A2ARequestHandler, ServerCallContext } from "@a2a-js/sdk/server";
import type { Outcome } from "./dispatch.ts";
import { Fault } from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import { getTaskRequest, noPushNotifications, sendMessageRequest, taskIdRequest } from "./requests.ts";
import { begin } from "./sse.ts";

/**
 * A2A 0.3 over JSON-RPC. The library turns its messages into those of 1.0 and back; in between they are the same
 * requests, read by the same schemas and answered by the same methods.
 *
 * This file is loaded when the first client of 0.3 comes.
 */

/** @throws Fault, Refusal, errors of the protocol */
export async function answerLegacy(
  { id, method, params }: { id: string | number | null; method: string; params: unknown },
  exchange: Exchange,
): Promise<Outcome> {
  if (!METHODS.has(method)) {
    const message = "There is no such method in A2A 0.3, which a request without `A2A-Version` is taken for.";
    throw new Fault("METHOD_NOT_FOUND", message);
  }
  const bridge = new Bridge(exchange);
  const handler = new LegacyJsonRpcTransportHandler(bridge as unknown as A2ARequestHandler);
  const answer = await handler.handle({ jsonrpc: "2.0", id, method, params }, NO_CONTEXT);
  if (Symbol.asyncIterator in answer) return { events: await begin(resultsOf(answer), exchange.call.signal) };
  if (!("error" in answer)) return { result: answer.result };
  if (bridge.thrown !== undefined) throw bridge.thrown;
  // The library's own words for what it could not translate may be those of its inside.
  if (bridge.isReached) throw new Error("an answer has no form in A2A 0.3", { cause: answer.error });
  throw new Fault("INVALID_PARAMS", "The parameters are not those of this method in A2A 0.3.");
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

/** The bridge knows its caller; the library only hands this through. */
const NO_CONTEXT = {} as ServerCallContext;

const CARD = AgentCard.fromJSON({ capabilities: { streaming: true } });

type Bridged = Omit<A2ARequestHandler, "listTasks">;

/** The methods as the library wants them: its objects in memory instead of those of the wire. */
class Bridge implements Bridged {
  /** Whether a request was understood: what fails before is the client's, what fails after is ours. */
  isReached = false;
  thrown: unknown;
  readonly #exchange: Exchange;

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
  }

  async getAgentCard() {
    return CARD;
  }

  sendMessage(params: SendMessageRequest) {
    return this.#keep(async ({ methods, call }) => {
      const sent = await methods.sendMessage(sendMessageRequest(SendMessageRequest.toJSON(params)), call);
      return "task" in sent ? Task.fromJSON(sent.task) : Message.fromJSON(sent.message);
    });
  }

  sendMessageStream(params: SendMessageRequest) {
    this.isReached = true;
    const { methods, call } = this.#exchange;
    return inMemory(() => methods.streamMessage(sendMessageRequest(SendMessageRequest.toJSON(params)), call));
  }

  resubscribe(params: { id: string }) {
    this.isReached = true;
    const { methods, call } = this.#exchange;
    return inMemory(() => methods.subscribe(taskIdRequest({ id: params.id }), call));
  }

  getTask(params: GetTaskRequest) {
    return this.#keep(async ({ methods, call }) =>
      Task.fromJSON(await methods.getTask(getTaskRequest(GetTaskRequest.toJSON(params)), call)),
    );
  }

  cancelTask(params: CancelTaskRequest) {
    return this.#keep(async ({ methods, call }) =>
      Task.fromJSON(await methods.cancelTask(taskIdRequest(CancelTaskRequest.toJSON(params)), call)),
    );
  }

  getAuthenticatedExtendedAgentCard() {
    return this.#refuse(new ExtendedAgentCardNotConfiguredError());
  }
  createTaskPushNotificationConfig() {
    return this.#refuse(noPushNotifications());
  }
  getTaskPushNotificationConfig() {
    return this.#refuse(noPushNotifications());
  }
  listTaskPushNotificationConfigs() {
    return this.#refuse(noPushNotifications());
  }
  deleteTaskPushNotificationConfig() {
    return this.#refuse(noPushNotifications());
  }

  #refuse(error: Error): Promise<never> {
    return this.#keep(async () => {
      throw error;
    });
  }

  /** The library makes an error of 0.3 of whatever is thrown, with its text: what it was is kept from it. */
  async #keep<T>(run: (exchange: Exchange) => Promise<T>): Promise<T> {
    this.isReached = true;
    try {
      return await run(this.#exchange);
    } catch (thrown) {
      this.thrown = thrown;
      throw thrown;
    }
  }
}

async function* inMemory(open: () => AsyncIterable<unknown>): AsyncGenerator<StreamResponse, void, undefined> {
  for await (const event of open()) yield StreamResponse.fromJSON(event);
}

async function* resultsOf(answers: AsyncIterable<object>): AsyncGenerator<unknown> {
  for await (const answer of answers) yield (answer as { result: unknown }).result;
}
