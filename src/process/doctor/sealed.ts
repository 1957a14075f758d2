import { checkSealedSecrets } from "../../../db/sealed-secrets.ts";
import { secretBoxOf } from "../../platform/config/secrets-key.ts";
import { formatCount } from "../../platform/format.ts";
import type { Instance } from "../instance.ts";
import type { Check } from "./check.ts";

/** Whether every sealed secret can be opened with SECRETS_KEY, and whether an old key is still needed. */
export async function checkSecrets({ db, config }: Instance): Promise<Check> {
  const name = "Secrets";
  const { total, old, unreadable } = await checkSealedSecrets(db, secretBoxOf(config));
  const remedy =
    "Set SECRETS_KEY to the key that sealed them, after the new one (NEW,OLD), or restore the file secrets-key of a sandbox. If the key is lost, their owners have to remove these factors and add them again.";
  if (unreadable.length > 0) {
    const more = unreadable.length > 1 ? `, and ${unreadable.length - 1} more` : "";
    return { name, ok: false, found: `cannot be opened: ${unreadable[0]}${more}`, remedy };
  }
  if (total === 0) return { name, ok: true, found: "nothing is sealed yet" };
  const rotating = old > 0 ? `; ${old} with the old key, which is still needed: sealed again within an hour` : "";
  return { name, ok: true, found: `${formatCount(total, "sealed secret")} can be opened${rotating}` };
}
