import { COSTS, URLS_CHECKED_PER_CREDIT } from "../../domain/ledger/costs.ts";

/** The figures that several documents name, taken from the code that uses them. */
export const CREDIT_COSTS = { ...COSTS, checked: URLS_CHECKED_PER_CREDIT } as const;

/** The longest time that a node needs to stop after DRAIN_SECONDS, in seconds: to end requests and steps, and to write what remains. */
export const STOP_SECONDS = 25;
