import { UnsupportedOperationError } from "@a2a-js/sdk/errors";
import type { A2aCall, A2aMethods } from "../methods.ts";
import { Fault } from "./errors.ts";
import { createPushConfigRequest, pushConfigRequest, pushConfigsRequest } from "./push-requests.ts";
import { getTaskRequest, listTasksRequest, sendMessageRequest, taskIdRequest } from "./requests.ts";
import { type StartedStream, startStream } from "./sse.ts";

/** The answer of a method: an object, or a stream whose first event has come. */
export type MethodResult = { readonly result: unknown } | { readonly events: StartedStream<unknown> };

type RunMethod = (params: unknown, methods: A2aMethods, call: A2aCall) => Promise<MethodResult>;

/** The methods of A2A 1.0 by name (section 5.3), for both bindings. */
const METHODS: Readonly<Record<string, RunMethod>> = {
  SendMessage: async (params, methods, call) => single(methods.sendMessage(sendMessageRequest(params), call)),
  SendStreamingMessage: async (params, methods, call) =>
    streamed(methods.streamMessage(sendMessageRequest(params), call), call),
  GetTask: async (params, methods, call) => single(methods.getTask(getTaskRequest(params), call)),
  ListTasks: async (params, methods, call) => single(methods.listTasks(listTasksRequest(params), call)),
  CancelTask: async (params, methods, call) => single(methods.cancelTask(taskIdRequest(params), call)),
  SubscribeToTask: async (params, methods, call) => streamed(methods.subscribe(taskIdRequest(params), call), call),
  CreateTaskPushNotificationConfig: async (params, methods, call) =>
    single(methods.createPushConfig(createPushConfigRequest(params), call)),
  GetTaskPushNotificationConfig: async (params, methods, call) =>
    single(methods.getPushConfig(pushConfigRequest(params), call)),
  ListTaskPushNotificationConfigs: async (params, methods, call) =>
    single(methods.listPushConfigs(pushConfigsRequest(params), call)),
  DeleteTaskPushNotificationConfig: async (params, methods, call) =>
    single(methods.deletePushConfig(pushConfigRequest(params), call)),
  // The answer where the card announces no extended one (section 3.3.4).
  GetExtendedAgentCard: async () => {
    throw new UnsupportedOperationError("There is no extended agent card: the public one is complete.");
  },
};

export function isMethod(name: string): boolean {
  return Object.hasOwn(METHODS, name);
}

/** @throws Fault, Refusal, errors of the protocol */
export async function dispatch(
  name: string,
  params: unknown,
  { methods, call }: { methods: A2aMethods; call: A2aCall },
): Promise<MethodResult> {
  if (!isMethod(name)) throw new Fault("METHOD_NOT_FOUND", "There is no such method in A2A 1.0.");
  return METHODS[name]!(params, methods, call);
}

async function single(result: Promise<unknown>): Promise<MethodResult> {
  return { result: await result };
}

async function streamed(events: AsyncIterable<unknown>, { signal }: A2aCall): Promise<MethodResult> {
  return { events: await startStream(events, signal) };
}
