import type { Overlap } from "../../../src/domain/oauth/successors.ts";
import { SecretBox } from "../../../src/platform/secret-box.ts";

/** How long a used refresh token still leads to its successor; the texts are sealed with a key of the tests. */
export function overlapOf(ms: number): Overlap {
  return { ms, box: new SecretBox(() => [Buffer.alloc(32, 43)]) };
}

/** As a service has it without a setting: any second use is a reuse. */
export const NO_OVERLAP: Overlap = {
  ms: 0,
  box: new SecretBox(() => {
    throw new Error("nothing is sealed where there is no overlap");
  }),
};
