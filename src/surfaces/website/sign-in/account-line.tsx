import type { VNode } from "preact";
import { ACCOUNTS_PATH } from "../shell/addresses.ts";
import type { Session } from "../shell/page-request.ts";

interface AccountLineProps {
  readonly session: Pick<Session, "name" | "accounts">;
  /** Where to return to. */
  readonly path: string;
}

/** To which of several accounts something will be connected, with the way to choose another one. */
export function AccountLine({ session: { name, accounts }, path }: AccountLineProps): VNode | null {
  if (accounts === 1) return null;
  return (
    <p>
      It will have access to{" "}
      <strong>
        <bdi>{name}</bdi>
      </strong>
      . <a href={`${ACCOUNTS_PATH}?${new URLSearchParams({ return_to: path })}`}>Choose another account</a>
    </p>
  );
}
