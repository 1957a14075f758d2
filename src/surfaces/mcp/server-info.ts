import { version } from "../../platform/version.ts";

/** Who answers, as every client is told. */
export const SERVER_INFO = { name: "beckon", title: "Beckon", version };
