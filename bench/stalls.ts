import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { join } from "node:path";
import { SHAPES, type Shape } from "../test/support/json/shapes.ts";
import type { Stall } from "./stalls-server.ts";
import { inFolder, round } from "./support.ts";

/** Where a JSON document is sent, and how an input becomes one. */
interface Door {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly around: readonly [before: string, after: string];
}

const part = [
  '{"messageId":"m","role":"ROLE_USER","parts":[{"data":{"skill":"estimate_cost","input":',
  "}}]}",
] as const;
const DOORS: Readonly<Record<string, Door>> = {
  "REST estimate": { path: "/api/v1/estimate", around: ["", ""] },
  "REST submission": { path: "/api/v1/projects", around: ["", ""] },
  MCP: {
    path: "/mcp",
    headers: { accept: "application/json, text/event-stream" },
    around: ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"estimate_cost","arguments":', "}}"],
  },
  "A2A by JSON-RPC": {
    path: "/a2a",
    headers: { "a2a-version": "1.0" },
    around: [`{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":${part[0]}`, `${part[1]}}}`],
  },
  "A2A by HTTP+JSON": {
    path: "/a2a/message:send",
    headers: { "a2a-version": "1.0" },
    around: [`{"message":${part[0]}`, `${part[1]}}`],
  },
  "A2A 0.3": {
    path: "/a2a",
    around: [
      '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"kind":"message","messageId":"m","role":"user","parts":[{"kind":"data","data":{"skill":"estimate_cost","input":',
      "}}]}}}",
    ],
  },
  "a list on the website": {
    path: "/dashboard/projects/new",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    around: ["urls=", ""],
  },
  "OAuth registration": { path: "/oauth/register", around: ["", ""] },
};

/** Bytes of an input. The largest is what a body with a credential may have. */
const SIZES = { "64 KB": 64 * 1024, "1 MB": 1024 * 1024, "4 MB": 4_000_000, "80 MB": 80_000_000 } as const;
type Size = keyof typeof SIZES;

/** The longest turn of each size, in ms. */
type Row = Record<Size | "worst" | "memory / size", number> & { "worst shape": string };

/** Addresses whose work grows with them. */
const ADDRESSES: Readonly<Record<string, string>> = {
  "a long path below /docs": `/docs/${"submit-urls/".repeat(1_150)}`,
  "a long search": `/docs/search?q=${"a+b+".repeat(3_000)}`,
  "a long query": `/api/v1/pricing?${"a=1&".repeat(3_500)}`,
};

/**
 * What everybody else waits for while one caller sends the worst of each shape and size through each door: the longest turn of
 * the event loop, in CPU time of its thread. And the memory that it took, for each byte that was sent.
 */
export function benchStalls() {
  return inFolder(async (folder) => {
    const server = fork(new URL("./stalls-server.ts", import.meta.url), [`file:${join(folder, "stalls.db")}`], {
      execArgv: ["--import", "tsx", "--expose-gc"],
    });
    const [{ address, key }] = (await once(server, "message")) as [{ address: string; key: string }];
    const ask = async (message: "begin" | "end") => {
      server.send(message);
      return (await once(server, "message"))[0] as Stall;
    };
    const measure = async (call: Call): Promise<Stall> => {
      await ask("begin");
      await send(address, call);
      return ask("end");
    };
    try {
      // What a door needs is loaded by its first requests.
      for (const door of Object.values(DOORS))
        for (let n = 0; n < 3; n++) await send(address, callOf(door, SHAPES[0]!, 2_000, key));
      const rows: Record<string, Row> = {};
      for (const [name, door] of Object.entries(DOORS)) {
        const row: Row = {
          "64 KB": 0,
          "1 MB": 0,
          "4 MB": 0,
          "80 MB": 0,
          worst: 0,
          "worst shape": "",
          "memory / size": 0,
        };
        for (const [size, bytes] of Object.entries(SIZES) as [Size, number][]) {
          for (const shape of SHAPES) {
            const stall = await measure(callOf(door, shape, bytes, key));
            const ms = round(stall.ms, 1);
            row[size] = Math.max(row[size], ms);
            if (ms > row.worst) Object.assign(row, { worst: ms, "worst shape": shape.name });
            if (bytes >= SIZES["4 MB"])
              row["memory / size"] = Math.max(row["memory / size"], round(stall.bytes / bytes, 1));
          }
        }
        rows[name] = row;
      }
      const addresses: Record<string, number> = {};
      for (const [name, path] of Object.entries(ADDRESSES)) {
        const call = { path, method: "GET", headers: { accept: "text/html" }, body: "" };
        await send(address, call);
        addresses[name] = round((await measure(call)).ms, 1);
      }
      return { rows, addresses };
    } finally {
      server.kill();
    }
  });
}

interface Call {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

function callOf({ path, headers, around: [before, after] }: Door, shape: Shape, bytes: number, key: string): Call {
  const all = { "content-type": "application/json", authorization: `Bearer ${key}`, ...headers };
  // A message that was sent before is answered without being read.
  const prefix = before.replace('"messageId":"m"', `"messageId":"${randomUUID()}"`);
  return { path, method: "POST", headers: all, body: prefix + shape.text(bytes) + after };
}

/** Sends a request, whose body may be refused before it is whole. */
async function send(address: string, { path, method, headers, body }: Call): Promise<void> {
  const bytes = Buffer.from(body);
  await new Promise<void>((resolve, reject) => {
    const sent = request(`${address}${path}`, {
      method,
      headers: { ...headers, "content-length": bytes.length },
      agent: false,
    });
    sent.on("response", (response) => {
      if (response.statusCode! >= 500) reject(new Error(`${path.slice(0, 40)} was answered ${response.statusCode}`));
      response.resume().on("close", resolve);
    });
    sent.on("error", () => resolve());
    sent.end(bytes);
  });
}
