import { SCOPE_WORDS, type Scope } from "../../../platform/principal.ts";

export interface AccessAdded {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly siteUrl: string;
}

export function wordsOf(scopes: readonly Scope[]): string {
  return scopes.map((scope) => SCOPE_WORDS[scope].replace(/^./, (first) => first.toLowerCase())).join("; ");
}
