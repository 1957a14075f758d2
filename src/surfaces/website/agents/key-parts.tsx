import type { VNode } from "preact";
import { ConfirmedAction } from "../components/item-list.tsx";
import { Day } from "../components/time.tsx";
import { keyPath } from "../shell/addresses.ts";
import type { SignedInRequest } from "../shell/page-request.ts";
import { type KeyRow, keyTitle } from "./domain.ts";

/** "ends after 3 Dec 2026", or "ended after" it. */
export function KeyEnd({ expiresAt, now }: { expiresAt: number; now: number }): VNode {
  return (
    <>
      {expiresAt <= now ? "ended" : "ends"} after <Day at={expiresAt - 1} isUtc />
    </>
  );
}

/** Revokes a key, after it was confirmed. */
export function RevokeKey({ request, apiKey }: { request: SignedInRequest; apiKey: KeyRow }): VNode {
  return (
    <ConfirmedAction
      request={request}
      label="Revoke"
      warning="Programs that use this key lose access at once. This cannot be undone."
      action={`${keyPath(apiKey.id)}/revoke`}
      button={`Revoke ${keyTitle(apiKey)}`}
    />
  );
}
