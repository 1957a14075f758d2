import { ownCommand } from "../platform/own-command.ts";

/** What is said of a new key of an account that cannot be written out. */
export function lostKey(accountId: string): string {
  const which = `--account ${accountId}`;
  return [
    "The API key was made, and is lost.",
    `This makes another: ${ownCommand(`key create ${which} --name NAME`)}`,
    `This ends the lost one: ${ownCommand("key revoke --id ID")}`,
    `Its id is in: ${ownCommand(`key list ${which}`)}`,
  ].join("\n  ");
}
