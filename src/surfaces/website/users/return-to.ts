import { localPath } from "../local-path.ts";

/** A page of the way in that knows where the person was going. */
export function withReturnTo(path: string, returnTo: string, more: Readonly<Record<string, string>> = {}): string {
  const isElsewhere = returnTo !== localPath("");
  const query = new URLSearchParams({ ...more, ...(isElsewhere ? { return_to: returnTo } : {}) }).toString();
  return query === "" ? path : `${path}?${query}`;
}

/** Why somebody who was on the way somewhere is asked to come in first; null when there is nothing to say. */
export function signInReason(returnTo: string): string | null {
  const path = returnTo.split("?")[0]!;
  return Object.hasOwn(REASONS, path) ? REASONS[path]! : null;
}

const REASONS: Readonly<Record<string, string>> = {
  "/dashboard/buy": "Credits belong to an account. Sign in to yours, or open one, and you go on to pay.",
  "/oauth/authorize": "An app asks to be connected to your account. Sign in, and you decide what it may do.",
  "/claim": "An agent asks to work for you. Sign in with the address that you gave it, and you decide what it may do.",
};
