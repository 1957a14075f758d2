import { hostname } from "node:os";
import { pid } from "node:process";

/** The default name of this process, for operators: `host:pid`. */
export const NODE_NAME = `${hostname()}:${pid}`;
