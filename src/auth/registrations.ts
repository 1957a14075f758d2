import type { Engine } from "../../db/engine.ts";

/** Ends a registration by whoever holds its claim token, and the agent's grant if it was claimed. @returns whether there was one */
export async function withdraw(_db: Engine, _claimToken: string, _now: number): Promise<boolean> {
  return false;
}
