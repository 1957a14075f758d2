/** Response to a POST to `/mcp` without a client, to check statuses and headers. */
export interface Posted {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what came, whatever it is
  readonly json: any;
}

export interface PostOptions {
  readonly key?: string | undefined;
  readonly headers?: Record<string, string>;
}

export function poster(url: string) {
  return async (body: unknown, { key, headers }: PostOptions = {}): Promise<Posted> => {
    const response = await fetch(`${url}/mcp`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
        ...headers,
      },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: text === "" ? null : JSON.parse(text) };
  };
}

/** A JSON-RPC message of the protocol versions with `initialize`. */
export function message(method: string, params: object = {}, id: string | number = 1) {
  return { jsonrpc: "2.0", id, method, params };
}

export function toolCall(name: string, args: object = {}, id: string | number = 1) {
  return message("tools/call", { name, arguments: args }, id);
}

/** A call with a payment next to its arguments. */
export function paidCall(name: string, args: object, payment: unknown) {
  return message("tools/call", { name, arguments: args, _meta: { "x402/payment": payment } });
}

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1.0.0" },
};

/** The same message for 2026-07-28, with the headers that this version requires. */
export function modern({ params, ...rest }: ReturnType<typeof message>) {
  const { name, _meta } = params as { name?: string; _meta?: object };
  return {
    body: { ...rest, params: { ...params, _meta: { ...ENVELOPE, ..._meta } } },
    headers: {
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": rest.method,
      ...(name === undefined ? {} : { "Mcp-Name": name }),
    },
  };
}
