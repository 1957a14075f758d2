import type { Tx } from "../../../db/engine.ts";
import { Refusal } from "../../platform/errors/errors.ts";
import { createAccount, type NewAccount } from "../accounts/accounts.ts";
import { invitationsTo } from "../people/invitations.ts";
import { createPerson } from "../people/people.ts";
import { recordSecurityEvent } from "../security-log/security-log.ts";
import { voidLinks } from "./mailed-links.ts";
import { joinInvited } from "./manage-members.ts";
import type { Visitor } from "./users.ts";

/**
 * Makes a person, who has proved the address. Whoever was invited joins the accounts that have invited the address, and gets none
 * of their own.
 * @param person with an address that nobody has
 * @returns the person's id
 * @throws Refusal invalid_request, when the only invitation is taken back at the same time
 */
export async function openPerson(tx: Tx, person: NewAccount, { browser, ip }: Visitor): Promise<string> {
  const { email, now } = person;
  await voidLinks(tx, email, now, "sign_up");
  if ((await invitationsTo(tx, email, now)).length > 0) {
    const { id: personId } = await createPerson(tx, person);
    if (!(await joinInvited(tx, { personId, email, ip, now }))) throw takenBack();
    return personId;
  }
  const { id: accountId, ownerId: personId } = await createAccount(tx, person);
  await recordSecurityEvent(tx, { accountId, personId, kind: "account_opened", subject: browser, ip, now });
  return personId;
}

function takenBack(): Refusal {
  return new Refusal("invalid_request", "The invitation was taken back just now. Follow the link once more.");
}
