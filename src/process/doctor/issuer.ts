import { type Examination, IssuerFailure } from "../../domain/issuer/issuer.ts";
import { openIssuer } from "../../domain/issuer/open-issuer.ts";
import { SECOND } from "../../platform/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import { formatCount, formatNumber } from "../../platform/format.ts";
import { createHttpClient } from "../../platform/http-client/http-client.ts";
import type { Check } from "./check.ts";

/** A larger difference of the clocks is reported: at twice as much, sign-ins are refused. */
const SKEWED_MS = 30 * SECOND;

/** The issuer of OpenID Connect: its configuration, its keys, and this machine's clock next to its own. */
export async function checkIssuer(config: Config): Promise<Check[]> {
  const { issuer: settings, siteUrl } = config;
  if (!settings) return [];
  const name = "Issuer";
  const http = createHttpClient(config);
  try {
    const issuer = await openIssuer(settings, { siteUrl, http });
    return [{ name, ...findingOf(await issuer.examine(), settings.name) }];
  } catch (thrown) {
    if (!(thrown instanceof IssuerFailure)) throw thrown;
    return [{ name, ok: false, ...(thrown.problem === "unreachable" ? UNREACHABLE : NO_CONFIGURATION) }];
  } finally {
    await http.close();
  }
}

function findingOf({ keys, aheadMs }: Examination, name: string): Omit<Check, "name"> {
  if (keys === 0) return { ok: false, ...NO_KEYS };
  if (aheadMs !== null && Math.abs(aheadMs) > SKEWED_MS) {
    const seconds = formatNumber(Math.round(Math.abs(aheadMs) / SECOND));
    const found = `this machine's clock is ${seconds} s ${aheadMs > 0 ? "ahead of" : "behind"} the issuer's`;
    return {
      ok: false,
      found,
      remedy: "Set the clock of this machine right, and let NTP keep it: sign-ins are refused.",
    };
  }
  const clocks = aheadMs === null ? "" : ", and the clocks agree";
  return { ok: true, found: `${name} answers with its configuration and ${formatCount(keys, "key")}${clocks}` };
}

const UNREACHABLE = {
  found: "the issuer does not answer, or answers with an error of its own: nobody can sign in by it",
  remedy: "Check that this machine can reach OIDC_ISSUER: DNS, firewall, certificate, or its status page.",
};
const NO_CONFIGURATION = {
  found: "what answers at OIDC_ISSUER is not the configuration of that issuer",
  remedy:
    "Open OIDC_ISSUER with /.well-known/openid-configuration after it, and set OIDC_ISSUER to its `issuer`, to the letter.",
};
const NO_KEYS = {
  found: "the issuer publishes no key that signs, so that no answer of it can be verified",
  remedy: "Choose RS256, ES256 or EdDSA for the ID tokens of this client at the issuer.",
};
