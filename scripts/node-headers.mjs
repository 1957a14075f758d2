import { readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder whose `include/node` has the headers of the running Node, as in its archives and in most distributions. */
export function headersPrefix(program = process.execPath) {
  return dirname(dirname(realpathSync(program)));
}

/** Whether there are headers in `include/node` below `prefix`, of the binary interface that the running Node has. */
export function hasHeaders(prefix) {
  try {
    const header = readFileSync(join(prefix, "include/node/node_version.h"), "utf8");
    return header.match(/^#define NODE_MODULE_VERSION (\d+)/m)?.[1] === process.versions.modules;
  } catch {
    return false;
  }
}

/**
 * The environment for an npm that compiles native packages: node-gyp takes the headers that lie beside Node instead of
 * downloading them. Settings that the user has made for it are kept.
 */
export function environmentWithHeaders(env = process.env, prefix = headersPrefix()) {
  if (isNodedirSet(env) || !hasHeaders(prefix)) return env;
  return { ...env, npm_config_nodedir: prefix };
}

/** What to do about headers that node-gyp would have to download; null where it has them. */
export function headersAdvice(env = process.env, prefix = headersPrefix()) {
  if (isNodedirSet(env) || hasHeaders(prefix)) return null;
  return `Node's headers are not in ${join(prefix, "include/node")}. Where no prebuilt SQLite fits, they are downloaded from nodejs.org; on a machine that cannot reach it, install them there, or set npm_config_nodedir to the folder above another include/node.`;
}

/** Both names that node-gyp reads; npm sets the first from a `nodedir` in .npmrc. */
function isNodedirSet(env) {
  return Object.keys(env).some((name) => /^npm_(?:config|package_config_node_gyp)_nodedir$/i.test(name));
}
