import type { VNode } from "preact";
import type { Scope } from "../../../platform/principal.ts";
import { relativeTime, Time } from "./time.tsx";

/** The scopes of a key, an app or an agent. */
export function ScopeList({ scopes }: { scopes: readonly Scope[] }): VNode {
  if (scopes.length === 0) return <>Permissions: reading the account only</>;
  return (
    <>
      Permissions:{" "}
      {scopes.map((scope, at) => (
        <>
          {at > 0 && ", "}
          <code>{scope}</code>
        </>
      ))}
    </>
  );
}

export function LastUsed({ at, now }: { at: number | null; now: number }): VNode {
  if (at === null) return <>Never used</>;
  return (
    <>
      Last used <Time at={at} /> <span class="soft">{relativeTime(at, now)}</span>
    </>
  );
}
