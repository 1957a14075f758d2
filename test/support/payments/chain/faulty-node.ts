import { setTimeout as sleepFor } from "node:timers/promises";
import { type Fault, type FaultProxy, says, startFaultProxy } from "../../../payments/fault-proxy.ts";
import {
  type Answer,
  type Ask,
  askAtHeight,
  askForked,
  type Call,
  heightBefore,
  heightOf,
  NO_HEADER,
} from "./node-at-height.ts";
import { type FaultKind, type NodeFault, parseStep, type ScriptStep } from "./node-script.ts";

export interface FaultOptions {
  /** JSON-RPC of another chain, for the fault `second`. */
  readonly second?: string | undefined;
  /** Seconds since 1970, for `late`; default: the time of the newest block. */
  readonly now?: () => number;
  /** Blocks above the newest that is final; default: FINAL_DEPTH. */
  readonly finalDepth?: number;
  /** Of `slow`, ms. Default: it sleeps. */
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/** What a proxy before a node makes of each call, by these faults; of two for one method, the first counts. */
export function faultyNode(faults: readonly NodeFault[], options: FaultOptions = {}): Fault {
  let asked = 0;
  const first = new Map<string, Answer>();
  const heights = new Map<string, number>();
  return async ({ body, pass }) => {
    const { id, method, params = [] } = JSON.parse(body);
    const fault = faults.find(({ methods, kind }) => kind !== "fork" && (methods?.includes(method) ?? true));
    if (!fault) return pass();
    const answerOf = async (work: typeof pass) => JSON.parse((await work()).body) as Answer;
    const ask: Ask = async (what, more = []) => answerOf(() => pass(callOf(what, more)));
    const answer = await ANSWERS[fault.kind]({
      ask,
      call: { method, params },
      fault,
      nth: asked++,
      first,
      heights,
      options,
    });
    return answer === "cut" ? "cut" : says({ jsonrpc: "2.0", id, ...answer });
  };
}

/** Reads the text of a step of a script. @throws Error */
export function faultsOf(text: string): readonly NodeFault[] {
  return parseStep(text).faults;
}

/** A proxy before a node that misbehaves by a script, one step after the other. */
export async function startFaultyNode(
  { upstream, port, ...options }: FaultOptions & { readonly upstream: string; readonly port?: number },
  steps: readonly ScriptStep[],
  onStep: (step: ScriptStep | null) => void = () => undefined,
): Promise<FaultProxy> {
  const node = await startFaultProxy(upstream, port);
  const end = new AbortController();
  const play = async () => {
    for (const step of steps) {
      for (const { kind, amount } of step.faults) if (kind === "fork") await fork(upstream, amount);
      node.fault = faultyNode(step.faults, options);
      onStep(step);
      if (step.lastsMs === null) return;
      await sleepFor(step.lastsMs, undefined, { signal: end.signal });
    }
    node.fault = null;
    onStep(null);
  };
  // It ends early where the proxy is closed.
  play().catch(() => undefined);
  const { close } = node;
  return Object.assign(node, {
    close: () => {
      end.abort();
      return close();
    },
  });
}

/** Replaces the newest blocks of an anvil by as many that are empty. */
export async function fork(upstream: string, blocks: number): Promise<void> {
  const { error } = await askAt(upstream)("anvil_reorg", [blocks, []]);
  if (error) throw new Error(`the chain at ${upstream} cannot fork: ${error.message}`);
}

interface Asked {
  readonly ask: Ask;
  readonly call: Call;
  readonly fault: NodeFault;
  /** How many were answered before by these faults. */
  readonly nth: number;
  /** What was answered first to each question that `stale` was asked. */
  readonly first: Map<string, Answer>;
  /** What `late` has found, by the newest block and the time; the last block before the fork of `forked`. */
  readonly heights: Map<string, number>;
  readonly options: FaultOptions;
}

/** How many blocks back each call in turn is answered, by a node whose height differs each time. */
const HEIGHTS = [0, 3, 1, 7, 2] as const;

const ANSWERS: Readonly<Record<FaultKind, (asked: Asked) => Promise<Answer | "cut">>> = {
  late: async ({ ask, call, fault: { amount, inBlocks }, heights, options }) => {
    const height = inBlocks
      ? (await heightOf(ask)) - amount
      : await heightBefore(ask, amount, options.now?.() ?? null, heights);
    return askAtHeight(ask, call, Math.max(0, height), options.finalDepth);
  },
  heights: async ({ ask, call, nth, options }) => {
    const height = (await heightOf(ask)) - HEIGHTS[nth % HEIGHTS.length]!;
    return askAtHeight(ask, call, Math.max(0, height), options.finalDepth);
  },
  slow: async ({ ask, call, fault, options: { sleep = sleepFor } }) => {
    const answer = await ask(call.method, call.params);
    await sleep(fault.amount * 1000);
    return answer;
  },
  empty: async ({ ask, call: { method, params } }) => {
    if (method === "eth_getLogs") return { result: [] };
    if (method !== "eth_getTransactionReceipt") return { result: "0x" };
    const { result } = await ask(method, params);
    return { result: result && { ...result, logs: [] } };
  },
  zero: async () => ({ result: `0x${"0".repeat(64)}` }),
  null: async () => ({ result: null }),
  object: async () => ({ result: {} }),
  "no-header": async () => NO_HEADER,
  limit: async () => ({ error: { code: -32_005, message: "limit exceeded" } }),
  stale: async ({ ask, call: { method, params }, first }) => {
    const question = JSON.stringify([method, params]);
    const answer = first.get(question) ?? (await ask(method, params));
    // The answer "not yet" is not kept.
    if (answer.result !== null) first.set(question, answer);
    return answer;
  },
  cut: async () => "cut",
  "acts-cut": async ({ ask, call }) => {
    await ask(call.method, call.params);
    return "cut";
  },
  removed: async ({ ask, call }) => {
    const answer = await ask(call.method, call.params);
    const mark = (logs: readonly object[]) => logs.map((log) => ({ ...log, removed: true }));
    if (Array.isArray(answer.result)) return { result: mark(answer.result) };
    if (!Array.isArray(answer.result?.logs)) return answer;
    return { result: { ...answer.result, logs: mark(answer.result.logs) } };
  },
  "chain-id": async ({ ask, call }) =>
    call.method === "eth_chainId" ? { result: "0x7a6a" } : ask(call.method, call.params),
  second: async ({ call, options: { second } }) => {
    if (second === undefined) throw new Error("there is no second chain");
    return askAt(second)(call.method, call.params);
  },
  forked: async ({ ask, call, fault: { amount }, heights, options }) => {
    const base = heights.get("fork") ?? (await heightOf(ask)) - amount;
    heights.set("fork", base);
    return askForked(ask, call, base, options.finalDepth);
  },
  fork: async ({ ask, call }) => ask(call.method, call.params),
};

function askAt(url: string): Ask {
  return async (method, params = []) => {
    const headers = { "Content-Type": "application/json" };
    const response = await fetch(url, { method: "POST", headers, body: callOf(method, params) });
    return (await response.json()) as Answer;
  };
}

function callOf(method: string, params: readonly unknown[]): string {
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
}
