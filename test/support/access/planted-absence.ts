import { afterAll, beforeAll, vi } from "vitest";
import * as access from "../../../src/domain/credentials/access.ts";
import type { Access } from "../../../src/domain/credentials/access-rows.ts";
import * as mayAct from "../../../src/domain/credentials/may-act.ts";
import * as pausing from "../../../src/domain/users/pause-since.ts";

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
  if (absent.size === 0) return false;
  const { stack = "" } = new Error();
  return [...absent].some((file) => stack.includes(file));
}

type Work = (...call: never[]) => unknown;

/** Lets something else be done where a function of a module is absent. */
function plant<Name extends string, Real extends Work>(module: Record<Name, Real>, name: Name, instead: Real): void {
  const real = module[name];
  const either = (...call: Parameters<Real>) => (isAbsent() ? instead : real)(...call);
  vi.spyOn(module as Record<string, Work>, name).mockImplementation(either as Work);
}

/** Replaces what asks whether somebody may act, or pauses what acts, for the tests of a file: absent things are left out. */
export function plantAbsences(): void {
  const makerOf = async (...[db, { accountId, maker }]: Parameters<typeof mayAct.requireMaker>) =>
    mayAct.principalIn((await access.accessOfMaker(db, accountId, maker))!);
  const withoutLastDay = (known: Access | null) =>
    known?.credential.type === "oauth" && absent.has(LAST_DAY) ? { ...known, endsAt: null } : known;
  beforeAll(() => {
    plant(mayAct, "endOf", () => null);
    plant(mayAct, "requireMayAct", async (...call) => call[1]);
    plant(mayAct, "makerOrEnd", makerOf);
    plant(mayAct, "makerWhoMayAct", makerOf);
    plant(mayAct, "requireMaker", makerOf);
    plant(pausing, "pauseSince", async () => []);
    const { accessOfMaker } = access;
    vi.spyOn(access, "accessOfMaker").mockImplementation(async (...call) =>
      withoutLastDay(await accessOfMaker(...call)),
    );
  });
  afterAll(() => vi.restoreAllMocks());
}
