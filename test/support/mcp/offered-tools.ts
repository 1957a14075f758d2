import { isOfferedBy, TOOLSETS } from "../../../src/contract/operation.ts";
import { toolList } from "../../../src/surfaces/mcp/tools.ts";
import type { TestService } from "../service/service.ts";

/** Where a client connects to get the tools of every toolset. */
export function everyToolset({ url }: TestService): string {
  return `${url}/mcp?toolsets=${TOOLSETS.join()}`;
}

/** The names of all tools that a service lists there. */
export function offeredTools({ config }: TestService): string[] {
  return toolList((one) => isOfferedBy(one, config), new Set(TOOLSETS)).map(({ name }) => name);
}
