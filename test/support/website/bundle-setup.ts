import { build } from "../../../scripts/build/build.mjs";

/**
 * Pages need what browsers load, and the service the client that it serves, of the present sources. Nothing is written where they
 * are there: another run of the tests may be using them.
 */
export const setup = build;
