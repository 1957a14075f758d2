import type { Tx } from "../../db/engine.ts";
import type { Scope } from "../context.ts";
import type { Audience } from "./resources.ts";

export interface NewCode {
  readonly accountId: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly scopes: readonly Scope[];
  readonly audience: Audience;
  readonly now: number;
}

/** An authorization code, good once and for 60 seconds (RFC 6749 section 4.1.2). @returns the secret */
export async function issueCode(_tx: Tx, _code: NewCode): Promise<string> {
  throw new Error("not built yet");
}
