import { FATES } from "../../indexing/engines/sandbox/fate.ts";
import type { Config } from "../../platform/config/config.ts";
import { FAULTS } from "../../platform/config/sandbox-faults.ts";
import { formatPercent } from "../../platform/format.ts";
import type { Document } from "./document.ts";
import { table } from "./markdown.ts";
import { pageOf } from "./page.ts";

export function sandboxDocument(config: Config): Document {
  return pageOf("/docs/sandbox", config, { fates: fateTable(), faults: faultTable() });
}

/** What happens to a URL in a sandbox. */
function fateTable(): string {
  return table(
    ["`?sandbox=`", "share", "what happens"],
    Object.entries(FATES).map(([name, { share, about }]) => [`\`${name}\``, formatPercent(share, 100), about]),
  );
}

/** What can go wrong in a sandbox. */
export function faultTable(): string {
  return table(
    ["`SANDBOX_FAULTS`", "what goes wrong"],
    Object.entries(FAULTS).map(([name, about]) => [`\`${name}\``, about]),
  );
}
