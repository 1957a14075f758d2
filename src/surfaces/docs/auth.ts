import { MAX_WRONG_CODES } from "../../domain/agents/user-code.ts";
import { RESOURCES } from "../../domain/credentials/resources.ts";
import { LIFETIMES } from "../../domain/oauth/tokens.ts";
import { DAY, HOUR, MINUTE } from "../../platform/clock.ts";
import type { Config } from "../../platform/config/config.ts";
import { ERRORS, type ErrorCode } from "../../platform/errors/errors.ts";
import { OAUTH_ERRORS, type OAuthErrorCode } from "../../platform/errors/oauth-errors.ts";
import { LIMITS } from "../../platform/limits.ts";
import { SCOPE_WORDS, SCOPES } from "../../platform/principal.ts";
import type { Document } from "./document.ts";

/** The grant types of agents, as the token endpoint knows them. */
const CLAIM = "urn:beckon:agent-auth:grant-type:claim";
const RENEW = "urn:ietf:params:oauth:grant-type:jwt-bearer";

/** `/auth.md`: tells an agent how to sign in. */
export function authDocument(config: Pick<Config, "siteUrl" | "contact">): Document {
  return {
    path: "/auth",
    title: "Signing in as an agent",
    summary: "How an agent that knows the e-mail address of its user gets, uses, renews and revokes a token.",
    section: "Guides",
    markdown: authGuide(config),
  };
}

export function authGuide({ siteUrl, contact }: Pick<Config, "siteUrl" | "contact">): string {
  return `# Signing in to Beckon

You are an agent. This page tells you how to get a token of your own for Beckon (${siteUrl}), which submits pages to
search engines and checks whether they were indexed. All you need is the e-mail address of your user, the person you
work for. Your user allows you on a page of ours, and can disconnect you at any time. You never see a password, and we
send no mail that you would have to read.

Do not ask your user for an API key if you can follow this page, and never put a token into a file, a log or a chat.

## 1. Discover

A call without a credential is answered with 401. Its \`WWW-Authenticate\` header has the address of the metadata:

${shell(`curl -i ${siteUrl}/api/v1/account`)}

| document | address |
| --- | --- |
| protected resource (RFC 9728) | ${siteUrl}/.well-known/oauth-protected-resource |
${RESOURCES.map((path) => `| the same for \`${path}\` | ${siteUrl}/.well-known/oauth-protected-resource${path} |`).join("\n")}
| authorization server (RFC 8414), with \`agent_auth\` | ${siteUrl}/.well-known/oauth-authorization-server |
| keys | ${siteUrl}/.well-known/jwks.json |

## 2. Choose a method

| you have | use |
| --- | --- |
| the e-mail address of your user | \`service_auth\`: steps 3 to 6 |
| a browser that your user sees, and a redirect URI | OAuth 2.1, authorization code with PKCE: register at ${siteUrl}/oauth/register |
| an API key in your settings | nothing here: send it as \`Authorization: Bearer <key>\` |

Anonymous registration (\`anonymous\`) and assertions of other issuers (\`identity_assertion\`) are not offered.

## 3. Register

${shell(`curl ${siteUrl}/api/agent/identity \\
  -H "Content-Type: application/json" \\
  -d '{"type":"service_auth","login_hint":"person@example.com","agent_name":"Release helper","scope":"read index"}'`)}

- \`login_hint\`: the e-mail address of your user. The answer does not tell whether it has an account; a user without one
  creates it on the way.
- \`agent_name\`: the name that your user will see, at most 80 characters.
- \`scope\`: only what you need. Your user may untick some. If it is absent, you ask for all scopes.

The answer:

${json({
  registration_id: "reg_…",
  registration_type: "service_auth",
  claim_url: `${siteUrl}/api/agent/identity/claim`,
  claim_token: "clm_…",
  claim_token_expires: "2026-01-06T12:00:00.000Z",
  post_claim_scopes: ["read", "index"],
  claim: {
    user_code: "K7RXW4",
    expires_in: LIFETIMES.userCode / 1000,
    verification_uri: `${siteUrl}/claim?attempt=cat_…`,
    interval: 5,
  },
})}

\`claim_token\` is shown only once. Keep it in memory, and show it to nobody, not even your user.

### Scopes

| scope | allows |
| --- | --- |
${SCOPES.map((scope) => `| \`${scope}\` | ${SCOPE_WORDS[scope]} |`).join("\n")}

## 4. Have your user claim you

Show your user both the link and the code, for example like this:

> Open \`verification_uri\`, sign in or sign up with \`login_hint\`, and enter this code there: \`user_code\`. Enter it only on
> that page, and do not send it to me. Do this only because you have just asked me to.

The code works for ${LIFETIMES.userCode / MINUTE} minutes. Meanwhile, poll every \`interval\` seconds:

${shell(`curl ${siteUrl}/oauth/token \\
  -d grant_type=${CLAIM} \\
  -d claim_token=$CLAIM_TOKEN`)}

| \`error\` | what to do |
| --- | --- |
| \`authorization_pending\` | continue polling |
| \`slow_down\` | add 5 seconds to the interval from now on, and continue |
| \`expired_token\` | get a new code and link, see below; after ${LIFETIMES.registration / HOUR} hours, register again |
| \`access_denied\` | stop: your user declined, or entered ${MAX_WRONG_CODES} wrong codes |
| \`invalid_grant\` | stop: the token is unknown, or was used already |

Get a new code and link for a registration that is still open like this. The previous link stops working:

${shell(`curl ${siteUrl}/api/agent/identity/claim \\
  -H "Content-Type: application/json" \\
  -d '{"claim_token":"clm_…"}'`)}

Once your user has allowed you, the answer is this, one time only:

${json({
  access_token: "beckon_at_…",
  token_type: "Bearer",
  expires_in: LIFETIMES.access / 1000,
  scope: "read index",
  identity_assertion: "eyJ…",
  assertion_expires: "2026-02-04T12:00:00.000Z",
})}

\`scope\` is what you were granted. If you did not receive this answer, register again.

## 5. Use the token

${shell(`curl ${siteUrl}/api/v1/account -H "Authorization: Bearer $ACCESS_TOKEN"`)}

The same token works at ${siteUrl}/api/v1, ${siteUrl}/mcp and ${siteUrl}/a2a. Send it in a header only: tokens in addresses and cookies are ignored.
The API is described at ${siteUrl}/openapi.json, the prices at ${siteUrl}/pricing.

## 6. Renew

An access token is valid for ${LIFETIMES.access / MINUTE} minutes, the \`identity_assertion\` for ${LIFETIMES.assertion / DAY} days. There is no refresh token. Get a new
access token like this:

${shell(`curl ${siteUrl}/oauth/token \\
  -d grant_type=${RENEW} \\
  -d assertion=$IDENTITY_ASSERTION \\
  -d resource=${siteUrl}/mcp`)}

With the optional \`resource\`, the token is valid only there; without it, for the whole service. The assertion stays the
same. \`invalid_grant\` means that it has expired or that you were disconnected: register again if your user wants that.

## Errors

Under ${siteUrl}/api/agent/ an error is \`{"error": {"code", "message", "docs"}}\`; at the token endpoint it is
\`{"error", "error_description", "error_uri"}\` (RFC 6749).

| code | status | where | what to do |
| --- | --- | --- | --- |
${AGENT_ERRORS.map(([code, where]) => errorRow(code, where, ERRORS[code])).join("\n")}
${TOKEN_ERRORS.map((code) => errorRow(code, "token endpoint", OAUTH_ERRORS[code])).join("\n")}

Retry automatically only after \`authorization_pending\`, \`slow_down\`, 429 (wait \`Retry-After\` seconds) and 5xx (wait longer
each time). Every other error would be the same again.

## Limits

| what | at most |
| --- | --- |
${LIMIT_ROWS.map((name) => `| ${LIMITS[name].per} | ${LIMITS[name].count} per ${LIMITS[name].window} |`).join("\n")}

## Revocation

Your user can disconnect you at ${siteUrl}/dashboard/apps. You can do it yourself with any token that you have: access
token, \`identity_assertion\` or \`claim_token\`. Revoking one revokes all of them at once: the next call is answered with 401,
and the token endpoint with \`invalid_grant\`.

${shell(`curl ${siteUrl}/oauth/revoke -d token=$IDENTITY_ASSERTION`)}

Do so when your work is done, and when somebody may have seen a token.

## Contact

${contact ? `Write to ${contact}.` : `Write to the operator of ${siteUrl}.`}
`;
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

function errorRow(code: string, where: string, { status, remedy }: { status: number; remedy: string }): string {
  return `| \`${code}\` | ${status} | ${where} | ${remedy} |`;
}

function shell(text: string): string {
  return `\`\`\`sh\n${text}\n\`\`\``;
}

function json(body: object): string {
  return `\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\``;
}
