import type { TestService, TestServiceOptions } from "../service/service.ts";
import type { Devnet } from "./chain/devnet.ts";

export { type Devnet, type DevnetOptions, startDevnet } from "./chain/devnet.ts";
export type { Fault } from "./chain/facilitator.ts";

/** A service that takes payments on this chain. Its clock starts at the real time, as the clocks of chain and wallets do. */
export async function directService(
  devnet: Devnet,
  { config, settings, ...more }: TestServiceOptions & { settings?: Parameters<Devnet["settings"]>[0] } = {},
): Promise<TestService> {
  const { testService } = await import("../service/service.ts");
  const service = await testService({ ...more, config: { direct: devnet.settings(settings), ...config } });
  service.clock.pass(Date.now() - service.clock.now());
  return service;
}
