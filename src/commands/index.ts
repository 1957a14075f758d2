import { listen } from "../../packages/client/src/cli/commands/listen.ts";
import { mcp } from "../../packages/client/src/cli/commands/mcp.ts";
import accountCreate from "./account-create.ts";
import accountDisable from "./account-disable.ts";
import accountEnable from "./account-enable.ts";
import accountList from "./account-list.ts";
import accountShow from "./account-show.ts";
import audit from "./audit.ts";
import backup from "./backup.ts";
import { clientCommand } from "./client-command.ts";
import type { Command } from "./command.ts";
import creditsGrant from "./credits-grant.ts";
import doctor from "./doctor.ts";
import keyCreate from "./key-create.ts";
import keyList from "./key-list.ts";
import keyRevoke from "./key-revoke.ts";
import keysRotate from "./keys-rotate.ts";
import migrate from "./migrate.ts";
import move from "./move.ts";
import orders from "./orders.ts";
import providers from "./providers.ts";
import restore from "./restore.ts";
import serve from "./serve.ts";
import signInLink from "./sign-in-link.ts";

/** The operator's commands, in the order in which the help lists them. */
export const commands: readonly Command[] = [
  serve,
  migrate,
  clientCommand(mcp),
  clientCommand(listen),
  accountCreate,
  accountList,
  accountShow,
  accountDisable,
  accountEnable,
  signInLink,
  creditsGrant,
  keyCreate,
  keyList,
  keyRevoke,
  keysRotate,
  orders,
  audit,
  doctor,
  providers,
  backup,
  restore,
  move,
];
