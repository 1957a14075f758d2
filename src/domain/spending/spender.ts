import type { Principal } from "../../platform/principal.ts";

/** What a page showed beside the button that was pressed. */
export interface Agreed {
  /** The most that the button may spend. */
  readonly credits: number;
  /** The digest of what holds a watch, where the button releases it: this alone is accepted. */
  readonly held?: string | undefined;
}

/** Who spends, and by which call: an approval is for this call alone. */
export interface Spender {
  readonly principal: Principal;
  readonly operation: string;
  /** SHA-256 of the parsed input; made only when it is needed, because a long list takes time. */
  readonly inputHash: () => string;
  /** Only for a call that a page makes. */
  readonly agreed?: Agreed | undefined;
}
