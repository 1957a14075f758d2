/** The service's reader of lists. The build bundles it into this one module, with the packages that it uses. */
export { withHttps } from "../../../../src/platform/lists/addresses.ts";
export { UnreadableList } from "../../../../src/platform/lists/limits.ts";
export { readListStream } from "../../../../src/platform/lists/read-list.ts";
export { countOf } from "../../../../src/platform/lists/words.ts";
