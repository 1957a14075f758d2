import { delimiter } from "node:path";
import { bringNode } from "../setup/bring-node.mjs";
import { ensureBrowser } from "../setup/browser.mjs";
import { installOwn } from "../setup/install.mjs";
import { ensureNginx } from "../setup/nginx.mjs";
import { prepare } from "../setup/prepare.mjs";
import { orExplain, say } from "../setup/say.mjs";

/**
 * Installs and builds everything that tests need. Where it cannot, it says why and ends the process with exit code 1.
 * @param {{ clients?: boolean }} need `clients`: clients of others, too: 300 MB, which only the deep run uses
 */
export async function prepareTests({ clients = false } = {}) {
  await prepare({ tests: true });
  if (clients) await orExplain(installOwn("test/clients"));
  ensureBrowser();
  try {
    ensureNginx();
  } catch (thrown) {
    say(thrown.message);
    process.exit(1);
  }
}

/** The environment of a program that runs on that Node.js, which is brought where this is another. */
export async function environmentOf(major) {
  if (process.versions.node.startsWith(`${major}.`)) return process.env;
  const why = `the tests run on Node.js ${major}, and this is ${process.versions.node}`;
  return { ...process.env, PATH: `${await orExplain(bringNode(major, why))}${delimiter}${process.env.PATH}` };
}
