import type { Reader } from "../../../db/engine.ts";
import { undoableUntil } from "../people/address-undos.ts";
import { personById } from "../people/people.ts";
import { authenticatorAppOf } from "./authenticator-app.ts";
import { passkeysOf } from "./passkeys.ts";
import { unusedRecoveryCodes } from "./recovery-codes.ts";
import { removalOf } from "./removals.ts";

/** All that guards the sign-in of a person besides the password. */
export async function ownFactors(db: Reader, personId: string, now: number) {
  const [passkeys, app, recoveryCodes, removal, person, heldUntil] = await Promise.all([
    passkeysOf(db, personId),
    authenticatorAppOf(db, personId),
    unusedRecoveryCodes(db, personId),
    removalOf(db, personId),
    personById(db, personId),
    undoableUntil(db, personId, now),
  ]);
  return {
    passkeys,
    app,
    /** How many are unused. */
    recoveryCodes,
    /** Of lost factors, which is under way; null: none is. */
    removal,
    /** Whether a sign-in by the password asks for one. */
    isRequired: person.isFactorRequired,
    /** Until when a change of the address can be undone; null when it cannot. Nothing can be removed before. */
    heldUntil,
  };
}

export type OwnFactors = Awaited<ReturnType<typeof ownFactors>>;
