import type { Principal } from "../../platform/principal.ts";

/** Who spends, and by which call: an approval is for this call alone. */
export interface Spender {
  readonly principal: Principal;
  readonly operation: string;
  /** SHA-256 of the parsed input; for a long list it takes some ms. */
  readonly inputHash: () => string;
}
