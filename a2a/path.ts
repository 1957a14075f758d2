/** The path of the JSON-RPC binding. The paths of the HTTP+JSON binding are below it. */
export const A2A = "/a2a";
