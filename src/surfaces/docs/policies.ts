import { SECURITY_LOG_KEPT } from "../../domain/security-log/security-log.ts";
import { DAY } from "../../platform/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import type { Document } from "./document.ts";
import { pageOf } from "./page.ts";

/** The documents about the service as a contract, without those that the operator has written elsewhere (`config.policies`). */
export function policyDocuments(config: Config): readonly Document[] {
  const values = { privacy: privacyValues(config), terms: {}, support: {} };
  const names = Object.keys(values) as (keyof typeof values)[];
  return names
    .filter((name) => config.policies[name] === undefined)
    .map((name) => pageOf(`/${name}`, config, values[name]));
}

/** Which other services get data, by what this deployment has configured. */
function privacyValues({ engines, mail }: Config) {
  return {
    securityLogDays: String(SECURITY_LOG_KEPT / DAY),
    engines: engines.includes("live") ? "the providers that the operator has configured" : engines.join(", "),
    hasMailServer: /^smtps?:/.test(mail),
  };
}
