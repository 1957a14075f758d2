import { ownCommand } from "../platform/own-command.ts";

/** The command by which an account may index where nothing is sold. */
export function grantLine(email: string): string {
  return ownCommand(`credits grant --email ${email} --credits 1000 --order`);
}
