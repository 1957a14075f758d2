import { RESOURCES } from "../../domain/auth/resources.ts";
import { LIFETIMES } from "../../domain/auth/tokens.ts";
import { MAX_WRONG_CODES } from "../../domain/auth/user-code.ts";
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

/** `/auth.md`: how an agent gets in, for the agent to read. */
export function authDocument(config: Pick<Config, "siteUrl" | "contact">): Document {
  return {
    path: "/auth",
    title: "Signing in as an agent",
    summary: "How an agent that knows its person's e-mail address gets a token, uses it, renews it and gives it back.",
    section: "Guides",
    markdown: authGuide(config),
  };
}

export function authGuide({ siteUrl, contact }: Pick<Config, "siteUrl" | "contact">): string {
  return `# Signing in to Beckon

You are an agent. This page says how you get a token of your own for Beckon (${siteUrl}), which submits pages to search
engines and looks whether they came in. All you need is the e-mail address of the person you work for: that person
allows you on a page of ours, and can disconnect you at any time. You never see a password, and we send no mail for
you to read.

Do not ask your person for an API key if you can follow this page, and never put a token into a file, a log or a chat.

## 1. Discover

A call without a credential is answered with 401, and its \`WWW-Authenticate\` header names the metadata of the resource:

${shell(`curl -i ${siteUrl}/api/v1/account`)}

| document | address |
| --- | --- |
| protected resource (RFC 9728) | ${siteUrl}/.well-known/oauth-protected-resource |
${RESOURCES.map((path) => `| the same of \`${path}\` | ${siteUrl}/.well-known/oauth-protected-resource${path} |`).join("\n")}
| authorization server (RFC 8414), with \`agent_auth\` | ${siteUrl}/.well-known/oauth-authorization-server |
| keys | ${siteUrl}/.well-known/jwks.json |

## 2. Pick a way

| you have | use |
| --- | --- |
| a person and their e-mail address | \`service_auth\`: steps 3 to 6 |
| a browser in front of that person, and an address to come back to | OAuth 2.1, authorization code with PKCE: register at ${siteUrl}/oauth/register |
| an API key in your settings | nothing here: send it as \`Authorization: Bearer <key>\` |

Registrations by nobody (\`anonymous\`) and by the word of another issuer (\`identity_assertion\`) are not offered.

## 3. Register

${shell(`curl ${siteUrl}/api/agent/identity \\
  -H "Content-Type: application/json" \\
  -d '{"type":"service_auth","login_hint":"person@example.com","agent_name":"Release helper","scope":"read index"}'`)}

- \`login_hint\`: the address of your person. The answer does not tell whether it has an account; a person without one
  opens it on the way.
- \`agent_name\`: what your person will see, at most 80 characters.
- \`scope\`: what you need, and no more. Your person may untick some. Left out, it asks for all.

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

\`claim_token\` is shown this once. Keep it in memory, and show it to nobody, your person included.

### Scopes

| scope | allows |
| --- | --- |
${SCOPES.map((scope) => `| \`${scope}\` | ${SCOPE_WORDS[scope]} |`).join("\n")}

## 4. Have your person claim you

Show both, the link and the code, for instance like this:

> Open \`verification_uri\`, sign in or sign up with \`login_hint\`, and type this code there: \`user_code\`. The code goes
> into that page, not back to me. Only do this because you have just asked me to.

The code is good for ${LIFETIMES.userCode / MINUTE} minutes. Meanwhile, ask every \`interval\` seconds:

${shell(`curl ${siteUrl}/oauth/token \\
  -d grant_type=${CLAIM} \\
  -d claim_token=$CLAIM_TOKEN`)}

| \`error\` | what you do |
| --- | --- |
| \`authorization_pending\` | go on asking |
| \`slow_down\` | add 5 seconds to the interval, for good, and go on |
| \`expired_token\` | get a new code and link, below; after ${LIFETIMES.registration / HOUR} hours, register again |
| \`access_denied\` | stop: your person declined, or ${MAX_WRONG_CODES} wrong codes were typed |
| \`invalid_grant\` | stop: the token is unknown, or what it was good for was handed out already |

A new code and link, for a registration that is still open. The link before is dead from then on:

${shell(`curl ${siteUrl}/api/agent/identity/claim \\
  -H "Content-Type: application/json" \\
  -d '{"claim_token":"clm_…"}'`)}

When your person has allowed you, the answer is, once:

${json({
  access_token: "beckon_at_…",
  token_type: "Bearer",
  expires_in: LIFETIMES.access / 1000,
  scope: "read index",
  identity_assertion: "eyJ…",
  assertion_expires: "2026-02-04T12:00:00.000Z",
})}

\`scope\` is what you were really granted. If this answer is lost on its way, register again.

## 5. Use the token

${shell(`curl ${siteUrl}/api/v1/account -H "Authorization: Bearer $ACCESS_TOKEN"`)}

The same token works at ${siteUrl}/api/v1, ${siteUrl}/mcp and ${siteUrl}/a2a. In headers only: tokens in addresses and cookies are not read.
The API is described at ${siteUrl}/openapi.json, prices at ${siteUrl}/pricing.

## 6. Renew

An access token is good for ${LIFETIMES.access / MINUTE} minutes, the \`identity_assertion\` for ${LIFETIMES.assertion / DAY} days. There is no refresh token:

${shell(`curl ${siteUrl}/oauth/token \\
  -d grant_type=${RENEW} \\
  -d assertion=$IDENTITY_ASSERTION \\
  -d resource=${siteUrl}/mcp`)}

\`resource\` is optional: with it, the token is good there only; without, for the whole service. The assertion stays the
same. \`invalid_grant\` means that it has expired or that you were disconnected: register again, if your person wants it.

## Errors

Under ${siteUrl}/api/agent/ an error is \`{"error": {"code", "message", "docs"}}\`; at the token endpoint it is
\`{"error", "error_description", "error_uri"}\` (RFC 6749).

| code | status | where | what to do |
| --- | --- | --- | --- |
${AGENT_ERRORS.map(([code, where]) => errorRow(code, where, ERRORS[code])).join("\n")}
${TOKEN_ERRORS.map((code) => errorRow(code, "token endpoint", OAUTH_ERRORS[code])).join("\n")}

Try again by yourself only after \`authorization_pending\`, \`slow_down\`, 429 (wait \`Retry-After\` seconds) and 5xx (wait longer
each time). Everything else will be answered the same again.

## Limits

| what | most |
| --- | --- |
${LIMIT_ROWS.map((name) => `| ${LIMITS[name].per} | ${LIMITS[name].count} per ${LIMITS[name].window} |`).join("\n")}

## Revocation

Your person disconnects you at ${siteUrl}/dashboard/apps. You do it yourself with any token you hold: access token,
\`identity_assertion\` or \`claim_token\`. Any of them ends all of them, at once; the next call is answered with 401, and
the token endpoint with \`invalid_grant\`.

${shell(`curl ${siteUrl}/oauth/revoke -d token=$IDENTITY_ASSERTION`)}

Do so when your work is done, and when a token may have been seen by anybody.

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

const LIMIT_ROWS = ["agent_registrations", "agent_registrations_per_person", "requests_per_minute"] as const;

function errorRow(code: string, where: string, { status, remedy }: { status: number; remedy: string }): string {
  return `| \`${code}\` | ${status} | ${where} | ${remedy} |`;
}

function shell(text: string): string {
  return `\`\`\`sh\n${text}\n\`\`\``;
}

function json(body: object): string {
  return `\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\``;
}
