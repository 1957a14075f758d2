/**
 * Tests that find a database under them and prove nothing of it: they run on SQLite alone. Each entry is a test, or a
 * folder of tests; the heading says why, and where the same is proved on PostgreSQL too where it is.
 */
export const ANY_DIALECT: Readonly<Record<string, readonly string[]>> = {
  "SQLite itself; what PostgreSQL has in its place is in db/postgres/": ["db/sqlite/"],
  "a browser looks at pages; what stands on them, and what their forms do, is asked for over HTTP (src/surfaces/website)":
    ["browser.test.ts", "checkout.test.ts", "pages.test.ts", "src/surfaces/website/layout.test.ts"],
  "text that is published: documents, cards, catalogs, prices": [
    "a2a/card/",
    "registry.test.ts",
    "rest/openapi.test.ts",
    "rest/payment-info.test.ts",
    "src/surfaces/discovery/",
    "src/surfaces/docs/",
    "src/surfaces/mcp/prompts.test.ts",
    "src/surfaces/mcp/server-card.test.ts",
    "src/surfaces/oauth/metadata.test.ts",
    "src/surfaces/website/document-routes.test.ts",
    "src/surfaces/website/pricing.test.ts",
    "src/surfaces/website/app.test.ts",
  ],
  "the form of requests, which is looked at before any database is; what they do is in rest/, a2a/agent and src/surfaces/mcp":
    [
      "a2a/bindings/clients.test.ts",
      "a2a/bindings/fuzz.test.ts",
      "a2a/bindings/http-json.test.ts",
      "a2a/bindings/http.test.ts",
      "a2a/bindings/jsonrpc.test.ts",
      "a2a/bindings/legacy.test.ts",
      "a2a/bindings/sse.test.ts",
      "a2a/bindings/version.test.ts",
      "a2a/conformance/forms.test.ts",
      "rest/csv.test.ts",
      "rest/edge.test.ts",
      "rest/input.test.ts",
      "src/surfaces/mcp/checked-server.test.ts",
      "src/surfaces/mcp/redact-sdk-errors.test.ts",
      "src/surfaces/mcp/versions.test.ts",
      "src/surfaces/website/local-path.test.ts",
    ],
  "what is signed is looked at before any database is; what is taken, once, is in src/domain/payments/direct and payments/":
    [
      "payments/malformed.test.ts",
      "payments/price.test.ts",
      "payments/scheme.test.ts",
      "payments/terms.test.ts",
      "payments/who-pays.test.ts",
      "src/domain/payments/direct/protocol/payload.test.ts",
      "src/domain/payments/direct/protocol/price.test.ts",
      "src/surfaces/webhooks/hostile.test.ts",
    ],
  "wallets, chains, nodes and facilitators; what comes of their faults is in src/domain/payments/direct and model/": [
    "clients/",
    "contracts/",
    "payments/facilitator.test.ts",
    "payments/node.test.ts",
    "payments/own-key.test.ts",
    "payments/secrets.test.ts",
    "payments/switched-off.test.ts",
    "src/process/doctor/direct.test.ts",
    "src/domain/payments/direct/chain/evm.test.ts",
    "src/domain/payments/direct/facilitator/facilitator-http.test.ts",
    "src/domain/payments/direct/facilitator/facilitator-local.test.ts",
    "src/domain/payments/direct/open.test.ts",
  ],
};
