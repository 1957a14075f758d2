import { join } from "node:path";
import { type Contender, cpuPerCall, timesThatOf } from "./calls.ts";
import { inFolder, round } from "./support.ts";

/** A tool call as clients of each era of the protocol send it. */
const ERAS = {
  "initialize era": (id: number, name: string) => ({
    headers: { "MCP-Protocol-Version": "2025-11-25" },
    body: bodyOf(id, { name, arguments: {} }),
  }),
  "2026-07-28": (id: number, name: string) => ({
    headers: { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": name },
    body: bodyOf(id, { name, arguments: {}, _meta: ENVELOPE }),
  }),
};

const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
};

const ACCEPT = { Accept: "application/json, text/event-stream" };

/**
 * CPU of a call of a tool over HTTP: get_account with an API key, identified, counted and read, against the SDK's own
 * server whose tool does nothing. In µs, medians of `rounds`, in both eras of the protocol.
 */
export async function benchMcp(rounds: number, calls: number) {
  return inFolder(async (folder) => {
    const contenders = Object.entries(ERAS).flatMap(([era, send], i): [string, Contender][] => [
      [
        `ours, ${era}`,
        {
          program: "./calls-server.ts",
          args: [`file:${join(folder, `${i}.db`)}`],
          call: (n, { address, keys }) => {
            const { headers, body } = send(n, "get_account");
            const credential = { Authorization: `Bearer ${keys![n % keys!.length]}` };
            return { url: `${address}/mcp`, headers: { ...ACCEPT, ...credential, ...headers }, body };
          },
          isRight: (status, text) => status === 200 && text.includes('"structuredContent":{"object":"account"'),
        },
      ],
      [
        `peer, ${era}`,
        {
          program: "./mcp-peer.ts",
          args: [],
          call: (n, { address }) => {
            const { headers, body } = send(n, "nothing");
            return { url: address, headers: { ...ACCEPT, ...headers }, body };
          },
          isRight: (status, text) => status === 200 && text.includes('"text":"done"'),
        },
      ],
    ]);
    const figures = await cpuPerCall(Object.fromEntries(contenders), rounds, calls);
    return Object.keys(ERAS).map((era) => {
      const [ours, peer] = [figures[`ours, ${era}`]!, figures[`peer, ${era}`]!];
      return {
        era,
        ours: round(ours.median, 0),
        peer: round(peer.median, 0),
        ratio: round(timesThatOf(ours, peer), 2),
      };
    });
  });
}

function bodyOf(id: number, params: object): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });
}
