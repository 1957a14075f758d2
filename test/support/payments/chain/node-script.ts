/** What a node does to calls of some methods. */
export interface NodeFault {
  /** Null: every method. */
  readonly methods: readonly string[] | null;
  readonly kind: FaultKind;
  /** Of the kinds that have one: seconds, or blocks where `inBlocks`, or a factor. */
  readonly amount: number;
  readonly inBlocks: boolean;
}

/** Faults that last together, and for how long. */
export interface ScriptStep {
  readonly faults: readonly NodeFault[];
  /** In ms; null: until the end. */
  readonly lastsMs: number | null;
}

/** What each kind of fault does, for the help text. */
export const FAULT_KINDS = {
  late: "answers as of a past height: `late:20s`, or `late:3b` in blocks",
  heights: "answers each call as of another height, up to 7 blocks back",
  slow: "answers later, with what was true when it was asked: `slow:3s`",
  empty: "answers an empty list for logs, a receipt without logs, and `0x` for the rest",
  zero: "answers 32 bytes of zero, as for a state that was lost: nothing was ever used",
  null: "answers null",
  object: "answers an object where a list or a text belongs",
  "no-header": 'says JSON-RPC error -32000 "header not found"',
  limit: 'says JSON-RPC error -32005 "limit exceeded"',
  stale: "answers each question as it did the first time, as a cache does",
  cut: "cuts the connection",
  "acts-cut": "does what it is asked, and cuts the connection before it answers",
  removed: "marks all logs as removed, as in a reorganisation",
  "chain-id": "answers eth_chainId with another chain's id",
  second: "answers from the node at --second: another chain, or this one started anew",
  forked: "shows blocks of its own, without transactions, in place of the newest: `forked:3b`",
  fork: "replaces the newest blocks of an anvil once, when the step begins: `fork:3b`",
} as const;

export type FaultKind = keyof typeof FAULT_KINDS;

const WITH_AMOUNT: ReadonlySet<FaultKind> = new Set(["late", "slow", "forked", "fork"]);

/**
 * Reads `METHODS FAULT[:AMOUNT] [+ METHODS FAULT …] [DURATION]`, where METHODS is `*` or names joined by commas, e.g.
 * `eth_getLogs,eth_call late:20s + eth_chainId chain-id 30s`. `ok` alone means no fault. Of two faults of one method
 * the first counts.
 * @throws Error that says what is wrong
 */
export function parseStep(text: string): ScriptStep {
  const [, faults = "", seconds] = /^(.*?)(?:\s+([\d.]+)s)?$/s.exec(text.trim())!;
  const lastsMs = seconds === undefined ? null : Number(seconds) * 1000;
  if (faults === "ok") return { faults: [], lastsMs };
  return { faults: faults.split("+").map((fault) => parseFault(fault.trim())), lastsMs };
}

/** @throws Error that says what is wrong */
function parseFault(text: string): NodeFault {
  const [methods = "", fault = "", ...more] = text.split(/\s+/);
  const [, kind = "", amount, unit] = /^([\w-]+)(?::(\d+)([sb]))?$/.exec(fault) ?? [];
  if (more.length > 0 || !isKind(kind)) throw new Error(`"${text}" is not METHODS FAULT; see --help`);
  if (WITH_AMOUNT.has(kind) !== (amount !== undefined))
    throw new Error(
      `"${text}": ${WITH_AMOUNT.has(kind) ? `say how much, as in ${kind}:3s` : `${kind} takes no amount`}`,
    );
  const inBlocks = unit === "b";
  const units = UNITS[kind] ?? "sb";
  if (unit !== undefined && !units.includes(unit)) throw new Error(`"${text}": ${kind} is in ${UNIT_NAMES[units]}`);
  return { methods: methods === "*" ? null : methods.split(","), kind, amount: Number(amount ?? 0), inBlocks };
}

/** Of the kinds that do not take both seconds and blocks. */
const UNITS: Readonly<Partial<Record<FaultKind, "s" | "b">>> = { slow: "s", forked: "b", fork: "b" };
const UNIT_NAMES = { sb: "seconds or blocks, s or b", s: "seconds, s", b: "blocks, b" } as const;

function isKind(text: string): text is FaultKind {
  return Object.hasOwn(FAULT_KINDS, text);
}
