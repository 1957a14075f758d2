import { UnsupportedOperationError } from "@a2a-js/sdk/errors";
import type { A2aCall, A2aMethods } from "../methods.ts";
import { Fault } from "./errors.ts";
import {
  getTaskRequest,
  listTasksRequest,
  noPushNotifications,
  sendMessageRequest,
  taskIdRequest,
} from "./requests.ts";
import { type Begun, begin } from "./sse.ts";

/** What a method came to: an object, or events of which the first is there. */
export type Outcome = { readonly result: unknown } | { readonly events: Begun<unknown> };

type Run = (params: unknown, methods: A2aMethods, call: A2aCall) => Promise<Outcome>;

const pushMethod: Run = async () => {
  throw noPushNotifications();
};

/** The methods of A2A 1.0 by their names (section 5.3), whatever the binding. */
const METHODS: Readonly<Record<string, Run>> = {
  SendMessage: async (params, methods, call) => one(methods.sendMessage(sendMessageRequest(params), call)),
  SendStreamingMessage: async (params, methods, call) =>
    many(methods.streamMessage(sendMessageRequest(params), call), call),
  GetTask: async (params, methods, call) => one(methods.getTask(getTaskRequest(params), call)),
  ListTasks: async (params, methods, call) => one(methods.listTasks(listTasksRequest(params), call)),
  CancelTask: async (params, methods, call) => one(methods.cancelTask(taskIdRequest(params), call)),
  SubscribeToTask: async (params, methods, call) => many(methods.subscribe(taskIdRequest(params), call), call),
  CreateTaskPushNotificationConfig: pushMethod,
  GetTaskPushNotificationConfig: pushMethod,
  ListTaskPushNotificationConfigs: pushMethod,
  DeleteTaskPushNotificationConfig: pushMethod,
  // The card does not announce an extended one, and then this is the answer (section 3.3.4).
  GetExtendedAgentCard: async () => {
    throw new UnsupportedOperationError("There is no extended agent card: the public one says everything.");
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
): Promise<Outcome> {
  if (!isMethod(name)) throw new Fault("METHOD_NOT_FOUND", "There is no such method in A2A 1.0.");
  return METHODS[name]!(params, methods, call);
}

async function one(result: Promise<unknown>): Promise<Outcome> {
  return { result: await result };
}

async function many(events: AsyncIterable<unknown>, { signal }: A2aCall): Promise<Outcome> {
  return { events: await begin(events, signal) };
}
