/** The path of the JSON-RPC binding; those of the HTTP+JSON binding are below it. */
export const A2A = "/a2a";
