import type { FacilitatorBehaviour } from "../support/payments/memory-facilitator.ts";
import type { CardActs } from "./fake-card-processor.ts";
import type { CrashPlan } from "./world.ts";

/** A command of the payment model. Numbers of pages and payments are taken modulo how many there are. */
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
  /** `condition`: of the first node during that time. */
  | { kind: "wait"; minutes: number; condition: NodeCondition }
  | { kind: "spend"; buyer: number; links: number }
  | { kind: "work" };

export type CommandOf<K extends Command["kind"]> = Extract<Command, { kind: K }>;

export type Step = Command & { crash: CrashPlan | null };

/** A fault that a payment is signed with. */
export type Flaw = "signature" | "value" | "recipient" | "expired" | "long" | "no funds";

/** How the facilitator behaves in one call. `late`: the block comes after its answer. `silent`: it does not verify. */
export type Service = FacilitatorBehaviour | "late" | "silent";

/**
 * What happens while the facilitator settles a payment or, for `front-run`, verifies it.
 * `nap`: the lease of the payment expires. `rival`: another buyer presents it. `rush`: a third party submits it.
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

/** The condition of a node from now on. */
export type NodeCondition = "healthy" | "away" | "behind" | "late logs" | "another chain";

/** A random history: the configuration, and the commands that are run. */
export interface History {
  /** X402_CONFIRMATIONS. */
  readonly confirmations: number;
  /** Number of nodes in X402_RPC_URL. */
  readonly nodes: number;
  readonly steps: readonly Step[];
}
