import { SCOPE_WORDS, type Scope } from "../../../platform/principal.ts";
import { message } from "../layout/plain.ts";
import type { Mail } from "../mailer.ts";

interface Connected {
  readonly to: string;
  /** The name that the agent gave itself. */
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly siteUrl: string;
}

/** Tells the owner of an account that an agent was connected to it. */
export function agentConnected({ to, name, scopes, siteUrl }: Connected): Mail {
  return message(to, "An agent was connected to your account", [
    `An agent was connected to your Beckon account just now. It calls itself "${name}", which we have not verified. It may:`,
    scopes.map((scope) => `- ${SCOPE_WORDS[scope]}`).join("\n"),
    "If this was you, there is nothing to do. If not, disconnect it here, and it loses access at once:",
    `${siteUrl}/dashboard/apps`,
  ]);
}
