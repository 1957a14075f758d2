import type { LinkPatch } from "../../../db/engine.ts";
import type { LinkState } from "./states.ts";

/** Links of one project that change from one state to another together. */
export interface Move {
  readonly positions: readonly number[];
  readonly from: LinkState;
  readonly to: LinkState;
  readonly patch?: Omit<LinkPatch, "state">;
  /** Why links that leave `indexed` are gone, or stay indexed although they are; our word for it. */
  readonly dropped?: string;
}
