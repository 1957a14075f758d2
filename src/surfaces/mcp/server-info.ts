import { version } from "../../platform/version.ts";

/** The name of this server, which every client is told. */
export const SERVER_INFO = { name: "beckon", title: "Beckon", version };
