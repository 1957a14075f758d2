import { hostname } from "node:os";
import { pid } from "node:process";

/** What this process is called where people look who did something. */
export const NODE = `${hostname()}:${pid}`;
