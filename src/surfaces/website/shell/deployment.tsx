import { type ComponentChildren, createContext, type VNode } from "preact";
import { useContext } from "preact/hooks";
import type { Config } from "../../../platform/config/config.ts";
import { PATHS } from "./addresses.ts";
import { withReturnTo } from "./return-to.ts";

/** What this deployment offers to people, which changes words and links on many pages. */
export type Offers = Pick<Config, "isSelling" | "signUp">;

/** `layout` gives it to all that a page shows. */
export const Deployment = createContext<Offers>({ isSelling: true, signUp: "open" });

/** Whether credits are sold here; false: the operator grants them. */
export function useIsSelling(): boolean {
  return useContext(Deployment).isSelling;
}

/** A link to where credits are bought, or to where it says whom to ask for them. @param pack the id of the one to choose */
export function BuyLink({ pack, children }: { pack?: string; children: string }): VNode {
  if (useIsSelling()) return <a href={pack === undefined ? PATHS.buy : `${PATHS.buy}?pack=${pack}`}>{children}</a>;
  return <a href={PATHS.buy}>{/^[A-Z]/.test(children) ? "Ask for credits" : "ask for credits"}</a>;
}

/** What leads to an account of one's own: nothing where only the operator makes accounts. */
export function SignUpHint({
  returnTo,
  isNewTab = false,
  children = null,
}: {
  returnTo: string;
  isNewTab?: boolean;
  children?: ComponentChildren;
}): VNode | null {
  if (useContext(Deployment).signUp !== "open") return null;
  const tab = isNewTab ? { target: "_blank", rel: "noopener" } : {};
  return (
    <>
      {children}{" "}
      <a href={withReturnTo("/sign-up", returnTo)} {...tab}>
        Create an account
      </a>
      .
    </>
  );
}

/** Where to ask the operator: a link, or the address as text. */
export function AskAt({ at }: { at: string }): VNode {
  return /^https?:/.test(at) ? <a href={at}>{at}</a> : <code>{at}</code>;
}
