import { join } from "node:path";
import { type Contender, costPerCall, startProgram, timesThatOf } from "./calls.ts";
import { type Served, startServed } from "./reads/served.ts";
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

/** Callers enough that none is over its limit of 120 calls a minute. */
const SIZE = { accounts: 2_000, moreProjects: 0, links: 1 };

/**
 * CPU of a call of a tool over HTTP: get_account with an API key, identified, counted and read, of the whole product as
 * `npm start` runs it, against the SDK's own server whose tool does nothing. In µs, medians of `rounds`, in both eras of the protocol.
 */
export async function benchMcp(rounds: number, calls: number) {
  return inFolder(async (folder) => {
    const served = await startServed(`file:${join(folder, "ours.db")}`, SIZE);
    const peer = await startProgram("./mcp-peer.ts", []);
    try {
      const contenders = Object.entries(ERAS).flatMap(([era, send]) => [
        [`ours, ${era}`, ours(served, send)] as const,
        [`peer, ${era}`, sdks(peer, send)] as const,
      ]);
      const costs = await costPerCall(Object.fromEntries(contenders), rounds, calls);
      return Object.keys(ERAS).map((era) => {
        const [ours, peer] = [costs[`ours, ${era}`]!, costs[`peer, ${era}`]!];
        const ratio = round(timesThatOf(ours, peer), 2);
        return { era, ours: round(ours.median, 0), peer: round(peer.median, 0), ratio };
      });
    } finally {
      for (const { process } of [served, peer]) process.kill();
    }
  });
}

type Send = (typeof ERAS)[keyof typeof ERAS];

function ours({ process, address, callers }: Served, send: Send): Contender {
  return {
    process,
    call(n) {
      const { headers, body } = send(n, "get_account");
      const credential = { Authorization: `Bearer ${callers[n % callers.length]!.key}` };
      return { url: `${address}/mcp`, headers: { ...ACCEPT, ...credential, ...headers }, body };
    },
    isRight: (status, text) => status === 200 && text.includes('"structuredContent":{"object":"account"'),
  };
}

function sdks({ process, address }: Awaited<ReturnType<typeof startProgram>>, send: Send): Contender {
  return {
    process,
    call(n) {
      const { headers, body } = send(n, "nothing");
      return { url: address, headers: { ...ACCEPT, ...headers }, body };
    },
    isRight: (status, text) => status === 200 && text.includes('"text":"done"'),
  };
}

function bodyOf(id: number, params: object): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params });
}
