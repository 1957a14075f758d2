import { join } from "node:path";

/** The folder of the bundles that this run of the tests has made (bundle-setup.ts). */
export const BUNDLE = process.env.TEST_BUNDLE!;

/** Arguments of Node.js to run `beckon`. */
export const PROGRAM: readonly string[] = [join(BUNDLE, "main.js")];
