import type { Config } from "../../platform/config/config.ts";
import { version } from "../../platform/version.ts";
import { zipOf } from "../../platform/zip.ts";
import { clientProgram } from "./client-package.ts";
import { BUNDLED_PROGRAM, bundleManifest, PLUGIN } from "./plugin.ts";

export const BUNDLE_PATH = "/beckon.mcpb";

/**
 * The time of the files in it. It is the earliest that the format knows, so that the same files make the same bytes.
 */
const AT = Date.UTC(1980, 0, 1);

/** The client as an MCP bundle, which Claude Desktop installs by a click: the program, and what the host asks the person for. */
export async function clientBundle(site: Pick<Config, "siteUrl" | "clientPackage">): Promise<Buffer> {
  const { name, license } = PLUGIN;
  const files = [
    ["manifest.json", `${JSON.stringify(bundleManifest(site), null, 2)}\n`],
    ["package.json", `${JSON.stringify({ name, version, license, type: "module" }, null, 2)}\n`],
    [BUNDLED_PROGRAM, clientProgram()],
  ] as const;
  const chunks: Buffer[] = [];
  for await (const chunk of zipOf(entriesOf(files), AT)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* entriesOf(files: readonly (readonly [name: string, text: string])[]) {
  for (const [name, text] of files) yield { name, text: once(text) };
}

async function* once(text: string) {
  yield text;
}
