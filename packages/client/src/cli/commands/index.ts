import type { Command } from "../command.ts";
import { call } from "./call.ts";
import { completion } from "./completion.ts";
import { credits } from "./credits.ts";
import { listen } from "./listen.ts";
import { login, logout } from "./login.ts";
import { mcp } from "./mcp.ts";
import { links, report, status } from "./projects.ts";
import { resubmit } from "./resubmit.ts";
import { submit } from "./submit.ts";
import { visits } from "./visits.ts";
import { watch } from "./watched-sitemaps.ts";

/** The commands of `beckon`, in the order in which the help lists them. */
export const commands: readonly Command[] = [
  login,
  logout,
  submit,
  status,
  links,
  report,
  resubmit,
  watch,
  visits,
  credits,
  listen,
  call,
  mcp,
  completion(() => commands),
];
