import type { FacilitatorBehaviour } from "../support/payments/memory-facilitator.ts";
import type { CardActs } from "./fake-card-processor.ts";
import type { CrashPlan } from "./world.ts";

/** What happens between two looks at the books. Numbers of pages and payments count in a circle. */
export type Command =
  | { kind: "open"; buyer: number; pack: number; key: number | null }
  | { kind: "card"; page: number; acts: CardActs }
  | { kind: "deliver"; pendingEvents: number[]; copies: number }
  | { kind: "lose"; event: number }
  | { kind: "processor"; isAway: boolean }
  | { kind: "pay"; buyer: number; pack: number; flaw: Flaw | null; facilitator: Service; meanwhile: Meanwhile | null }
  | { kind: "again"; payment: number; buyer: number; isOtherPack: boolean; copies: number; facilitator: Service }
  | { kind: "chain"; event: ChainEvent }
  | { kind: "third party"; payment: number; act: "rush" | "cancel" }
  | { kind: "reconcile" }
  /** `condition`: of one node as long as that lasts. */
  | { kind: "wait"; minutes: number; condition: NodeCondition }
  | { kind: "spend"; buyer: number; links: number }
  | { kind: "work" };

export type Of<K extends Command["kind"]> = Extract<Command, { kind: K }>;

export type Step = Command & { crash: CrashPlan | null };

/** What is wrong with a payment from the start. */
export type Flaw = "signature" | "value" | "recipient" | "expired" | "long" | "no funds";

/** How a facilitator serves one call. `late`: it hands over, and the block comes later. */
export type Service = FacilitatorBehaviour | "late" | "silent";

/**
 * What happens while a payment is with the facilitator: while it is settled or, for a `front-run`, verified.
 * `nap`: so much time that another may take it up.
 */
export type Meanwhile =
  | "reconcile"
  | "rush"
  | "rival"
  | "reorganise"
  | "nap"
  | "front-run"
  | Exclude<NodeCondition, "healthy">;

export type ChainEvent =
  | "mine"
  | { reorganise: number; fate: "waits again" | "is lost" }
  | { node: number; condition: NodeCondition };

/** How a node answers from now on. */
export type NodeCondition = "healthy" | "away" | "behind" | "late logs" | "another chain";

/** What a market goes through, from its opening on. */
export interface History {
  /** X402_CONFIRMATIONS. */
  readonly confirmations: number;
  /** Nodes of the chain at X402_RPC_URL. */
  readonly nodes: number;
  readonly steps: readonly Step[];
}
