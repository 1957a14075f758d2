import { COSTS, URLS_CHECKED_PER_CREDIT } from "../../domain/ledger/costs.ts";

/** The figures that several documents name, taken from the code that uses them. */
export const CREDIT_COSTS = { ...COSTS, checked: URLS_CHECKED_PER_CREDIT } as const;
