import type * as AccessModule from "../../../src/domain/credentials/access.ts";
import type { Access } from "../../../src/domain/credentials/access-rows.ts";
import type * as MayAct from "../../../src/domain/credentials/may-act.ts";
import type * as PauseSince from "../../../src/domain/users/pause-since.ts";

/** What is absent for now: the questions of these files whether somebody may act, or a fact. */
const absent = new Set<string>();

/** An app's last day as a fact of its access. */
export const LAST_DAY = "last day";

/** Does work while checks or facts are absent. */
export async function without<T>(what: readonly string[], work: () => Promise<T>): Promise<T> {
  for (const one of what) absent.add(one);
  try {
    return await work();
  } finally {
    absent.clear();
  }
}

/** Whether one of the files that call is not to ask. */
function isAbsent(): boolean {
  const { stack = "" } = new Error();
  return [...absent].some((file) => stack.includes(file));
}

/** may-act.ts, which lets everybody act where the question is absent. */
export function plantedMayAct(real: typeof MayAct, { accessOfMaker }: typeof AccessModule): typeof MayAct {
  const makerOf = async (...[db, { accountId, maker }]: Parameters<typeof real.requireMaker>) =>
    real.principalIn((await accessOfMaker(db, accountId, maker))!);
  return {
    ...real,
    endOf: (access, act) => (isAbsent() ? null : real.endOf(access, act)),
    requireMayAct: async (...call) => (isAbsent() ? call[1] : real.requireMayAct(...call)),
    makerOrEnd: (...call) => (isAbsent() ? makerOf(...call) : real.makerOrEnd(...call)),
    makerWhoMayAct: (...call) => (isAbsent() ? makerOf(...call) : real.makerWhoMayAct(...call)),
    requireMaker: (...call) => (isAbsent() ? makerOf(...call) : real.requireMaker(...call)),
  };
}

/** access.ts, which may not know an app's last day. */
export function plantedAccess(real: typeof AccessModule): typeof AccessModule {
  const known = (access: Access | null) =>
    access?.credential.type === "oauth" && absent.has(LAST_DAY) ? { ...access, endsAt: null } : access;
  return { ...real, accessOfMaker: async (...call) => known(await real.accessOfMaker(...call)) };
}

/** pause-since.ts, which may pause nothing. */
export function plantedPauseSince(real: typeof PauseSince): typeof PauseSince {
  return { pauseSince: (...call) => (isAbsent() ? Promise.resolve([]) : real.pauseSince(...call)) };
}
