import { setDisabled } from "../domain/accounts/disable.ts";
import { timesOf } from "../platform/clock.ts";
import type { Config } from "../platform/config/config.ts";
import type { CommandResult } from "./command.ts";
import { accountFinder } from "./values.ts";
import { withInstance } from "./with-instance.ts";

/** Disables an account for a reason, or enables it (null). */
export async function changeState(
  config: Config,
  which: { email: string | undefined; account: string | undefined },
  reason: string | null,
): Promise<CommandResult> {
  const find = accountFinder(which);
  return withInstance(config, async ({ db, clock }) => {
    const { id, email } = await find(db);
    const isChanged = await db.tx((tx) => setDisabled(tx, { accountId: id, reason, times: timesOf(clock) }));
    const data = { account_id: id, disabled: reason !== null, reason };
    if (!isChanged) return { data, text: `${email} was not disabled, and nothing has changed` };
    return { data, text: `${email} is ${reason === null ? "enabled" : `disabled: ${reason}`}` };
  });
}
