/** The states of links, steps and deliveries; the database stores them as numbers. */
export {
  ACTIONS,
  type Action,
  CHECK_RESULTS,
  CHECK_STAGES,
  type CheckResult,
  type CheckStage,
  DELIVERY_STATUSES,
  type DeliveryStatus,
  FACT_SOURCES,
  type FactSource,
  LANES,
  type Lane,
  LINK_STATES,
  type LinkState,
} from "../../../db/words.ts";

/** Most links of one step. */
export const STEP_SIZE = 500;
