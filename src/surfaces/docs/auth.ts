import { MAX_WRONG_CODES } from "../../domain/agents/user-code.ts";
import { RESOURCES } from "../../domain/credentials/resources.ts";
import { LIFETIMES } from "../../domain/oauth/tokens.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../../platform/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import { ERRORS, type ErrorCode } from "../../platform/errors/errors.ts";
import { OAUTH_ERRORS, type OAuthErrorCode } from "../../platform/errors/oauth-errors.ts";
import { LIMITS } from "../../platform/limits.ts";
import { SCOPE_WORDS, SCOPES } from "../../platform/principal.ts";
import type { Document } from "./document.ts";
import { table } from "./markdown.ts";
import { pageOf } from "./page.ts";

/** `/auth.md`: tells an agent how to sign in. */
export function authDocument(config: Config): Document {
  const metadata = `${config.siteUrl}/.well-known/oauth-protected-resource`;
  return pageOf("/auth", config, {
    documents: table(
      ["document", "address"],
      [
        ["protected resource (RFC 9728)", metadata],
        ...RESOURCES.map((path) => [`the same for \`${path}\``, `${metadata}${path}`]),
        [
          "authorization server (RFC 8414), with `agent_auth`",
          `${config.siteUrl}/.well-known/oauth-authorization-server`,
        ],
        ["keys", `${config.siteUrl}/.well-known/jwks.json`],
      ],
    ),
    scopes: table(
      ["scope", "allows"],
      SCOPES.map((scope) => [`\`${scope}\``, SCOPE_WORDS[scope]]),
    ),
    errors: table(
      ["code", "status", "where", "what to do"],
      [
        ...AGENT_ERRORS.map(([code, where]) => errorRow(code, where, ERRORS[code])),
        ...TOKEN_ERRORS.map((code) => errorRow(code, "token endpoint", OAUTH_ERRORS[code])),
      ],
    ),
    limits: table(
      ["what", "at most"],
      LIMIT_ROWS.map((name) => [LIMITS[name].per, `${LIMITS[name].count} per ${LIMITS[name].window}`]),
    ),
    wrongCodes: String(MAX_WRONG_CODES),
    userCodeSeconds: String(LIFETIMES.userCode / SECOND),
    userCodeMinutes: String(LIFETIMES.userCode / MINUTE),
    registrationHours: String(LIFETIMES.registration / HOUR),
    accessSeconds: String(LIFETIMES.access / SECOND),
    accessMinutes: String(LIFETIMES.access / MINUTE),
    assertionDays: String(LIFETIMES.assertion / DAY),
  });
}

const AGENT_ERRORS: readonly (readonly [ErrorCode, string])[] = [
  ["invalid_request", "register, new code"],
  ["anonymous_not_enabled", "register"],
  ["issuer_not_enabled", "register"],
  ["invalid_claim_token", "new code"],
  ["claimed_or_in_flight", "new code"],
  ["claim_expired", "new code"],
  ["rate_limited", "everywhere"],
];

const TOKEN_ERRORS: readonly OAuthErrorCode[] = [
  "authorization_pending",
  "slow_down",
  "expired_token",
  "access_denied",
  "invalid_grant",
  "invalid_target",
  "unsupported_grant_type",
];

const LIMIT_ROWS = ["agent_registrations", "requests_per_minute"] as const;

function errorRow(code: string, where: string, { status, remedy }: { status: number; remedy: string }): string[] {
  return [`\`${code}\``, String(status), where, remedy];
}
