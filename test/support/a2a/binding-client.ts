import { type A2aAnswer, type A2aOptions, a2aClient, allEvents } from "./test-bindings.ts";

export const BINDINGS = ["JSONRPC", "HTTP+JSON"] as const;
export type BindingName = (typeof BINDINGS)[number];

/** The outcome of a call, in the same form for both bindings. */
export interface MethodOutcome {
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever it is
  readonly result: any;
  /** `reason` of the ErrorInfo of an error; null for a result. */
  readonly reason: string | null;
  readonly answer: A2aAnswer;
}

// biome-ignore lint/suspicious/noExplicitAny: parameters of any method
type Params = any;

/** Calls the methods of A2A 1.0 by their names, over one of the bindings. */
export interface BindingClient {
  call(method: string, params?: Params, options?: A2aOptions): Promise<MethodOutcome>;
  /** Calls a streaming method. @returns the response before its events are read */
  open(method: string, params?: Params, options?: A2aOptions): Promise<Response>;
  /** Calls a streaming method and reads all events, without the envelope of the binding. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever it is
  events(method: string, params?: Params, options?: A2aOptions): Promise<any[]>;
}

type Address = readonly [method: string, path: string, body?: unknown];

const task = ({ id }: Params) => `/tasks/${encodeURIComponent(id ?? "")}`;
const push = ({ taskId, id }: Params) => `/tasks/${taskId}/pushNotificationConfigs${id ? `/${id}` : ""}`;

/** HTTP method, path and body of each method (A2A 1.0, section 5.3). */
const ADDRESSES: Readonly<Record<string, (params: Params) => Address>> = {
  SendMessage: (params) => ["POST", "/message:send", params],
  SendStreamingMessage: (params) => ["POST", "/message:stream", params],
  GetTask: ({ id, ...query }) => ["GET", `${task({ id })}${queryOf(query)}`],
  ListTasks: (query) => ["GET", `/tasks${queryOf(query)}`],
  CancelTask: (params) => ["POST", `${task(params)}:cancel`],
  SubscribeToTask: (params) => ["POST", `${task(params)}:subscribe`],
  CreateTaskPushNotificationConfig: (params) => ["POST", push({ taskId: params.taskId }), params],
  GetTaskPushNotificationConfig: (params) => ["GET", push(params)],
  ListTaskPushNotificationConfigs: (params) => ["GET", push(params)],
  DeleteTaskPushNotificationConfig: (params) => ["DELETE", push(params)],
  GetExtendedAgentCard: () => ["GET", "/extendedAgentCard"],
};

export const METHODS = Object.keys(ADDRESSES);

function queryOf(query: object): string {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text && `?${text}`;
}

function toTuple([method, path, body]: Address): [string, string, unknown] {
  return [method, path, body];
}

export function bindingClient(binding: BindingName, url: string, key?: string): BindingClient {
  const client = a2aClient(url, key);
  const isRpc = binding === "JSONRPC";
  const addressOf = (method: string, params: Params) => ADDRESSES[method]!(params ?? {});
  const open = (method: string, params?: Params, options: A2aOptions = {}) =>
    isRpc ? client.openRpc(method, params, options) : client.openRest(...toTuple(addressOf(method, params)), options);
  return {
    open,
    async call(method, params, options = {}) {
      if (isRpc) {
        const answer = await client.rpc(method, params, options);
        const { result, error } = answer.json ?? {};
        return { answer, result, reason: error?.data?.[0]?.reason ?? null };
      }
      const [verb, path, body] = addressOf(method, params);
      const answer = await client.rest(verb, path, body, options);
      const reason = answer.json?.error?.details[0]?.reason ?? null;
      return { answer, result: reason ? undefined : answer.json, reason };
    },
    async events(method, params, options = {}) {
      const events = await allEvents(await open(method, params, options));
      return isRpc ? events.map(({ result }) => result) : events;
    },
  };
}
