import { COSTS, URLS_CHECKED_PER_CREDIT } from "../../domain/ledger/costs.ts";
import { FINAL_CHECK, FIRST_CHECK } from "../../indexing/checker/schedule.ts";
import { DAY } from "../../platform/clock.ts";

/** The figures that several documents name, taken from the code that uses them. */
export const FIRST_DAY = FIRST_CHECK / DAY;
export const FINAL_DAY = FINAL_CHECK / DAY;

export const CREDIT_COSTS = { ...COSTS, checked: URLS_CHECKED_PER_CREDIT } as const;
