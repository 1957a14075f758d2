import type { Principal } from "../../platform/principal.ts";

/** Who spends, and by which call: an approval is for this call alone. */
export interface Spender {
  readonly principal: Principal;
  readonly operation: string;
  /** SHA-256 of the parsed input; made only when it is needed, because a long list takes time. */
  readonly inputHash: () => string;
}
