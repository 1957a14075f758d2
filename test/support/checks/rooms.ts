/** A room of the house: its folders, which end in `/`, and files. A file in a folder may be of another room than the folder. */
export interface Room {
  readonly paths: readonly string[];
  /** Rooms it may import from, besides itself. */
  readonly may: readonly string[];
  /** Rooms it may name the types of, and nothing else. */
  readonly types?: readonly string[];
}

export const PLATFORM = ["platform", "nearest", "errors", "config", "urls", "lists", "http-client"];

/**
 * The rooms from the ground up, each with the rooms that it may import from. All of these stand before it in this list, so
 * that there is no way around in a circle, not by types either.
 */
export const ROOMS: Readonly<Record<string, Room>> = {
  platform: { paths: ["src/platform/"], may: [] },
  // Which name was probably meant; the client asks it, too.
  nearest: { paths: ["src/platform/nearest.ts"], may: [] },
  errors: { paths: ["src/platform/errors/"], may: ["platform"] },
  config: { paths: ["src/platform/config/"], may: ["platform", "nearest"] },
  urls: { paths: ["src/platform/urls/"], may: ["platform", "errors"] },
  // Runs in browsers, too.
  lists: { paths: ["src/platform/lists/"], may: ["platform", "urls"] },
  // What callers install, of which the operator's command line runs two commands. Of the service it imports the reader of lists
  // and the search for the nearest name, and nothing else: its types are generated from the operations.
  client: { paths: ["packages/client/src/"], may: ["lists", "nearest"] },
  "http-client": { paths: ["src/platform/http-client/"], may: ["platform", "errors", "config"] },
  // What every room that writes a row may say.
  placeholders: { paths: ["db/placeholders.ts"], may: [] },
  words: { paths: ["db/words.ts"], may: [] },
  db: { paths: ["db/"], may: ["platform", "errors", "words"] },

  limits: { paths: ["src/domain/limits/"], may: PLATFORM, types: ["db"] },
  calls: { paths: ["src/domain/calls/"], may: [...PLATFORM, "limits"], types: ["db"] },
  events: { paths: ["src/domain/events/"], may: [...PLATFORM, "placeholders"], types: ["db"] },
  // By which facts somebody may still act: asked at each act, also by what is below the other credentials.
  access: {
    paths: ["access", "access-rows", "may-act", "may-spend-rows", "resources", "scopes"].map(
      (name) => `src/domain/credentials/${name}.ts`,
    ),
    may: PLATFORM,
    types: ["db"],
  },
  ledger: {
    paths: ["src/domain/ledger/"],
    may: [...PLATFORM, "placeholders", "events", "access"],
    types: ["db"],
  },
  spending: { paths: ["src/domain/spending/"], may: [...PLATFORM, "events", "ledger", "access"], types: ["db"] },
  "security-log": { paths: ["src/domain/security-log/"], may: PLATFORM, types: ["db"] },
  credentials: {
    paths: ["src/domain/credentials/"],
    may: [...PLATFORM, "events", "spending", "security-log", "access"],
    types: ["db"],
  },
  oauth: {
    paths: ["src/domain/oauth/"],
    may: [...PLATFORM, "limits", "events", "spending", "security-log", "access", "credentials"],
    types: ["db"],
  },
  agents: {
    paths: ["src/domain/agents/"],
    may: [...PLATFORM, "limits", "security-log", "access", "credentials", "oauth"],
    types: ["db"],
  },
  connections: { paths: ["src/domain/connections/"], may: [...PLATFORM, "events", "security-log"], types: ["db"] },
  webhooks: {
    paths: ["src/domain/webhooks/"],
    may: [...PLATFORM, "placeholders", "words", "events", "security-log", "credentials"],
    types: ["db"],
  },
  subscriptions: {
    paths: ["src/domain/subscriptions/"],
    may: [...PLATFORM, "events", "security-log", "webhooks"],
    types: ["db"],
  },
  people: { paths: ["src/domain/people/"], may: [...PLATFORM, "credentials"], types: ["db"] },
  factors: {
    paths: ["src/domain/factors/"],
    may: [...PLATFORM, "limits", "credentials", "people"],
    types: ["db"],
  },
  issuer: { paths: ["src/domain/issuer/"], may: [...PLATFORM, "credentials"], types: ["db"] },
  orders: { paths: ["src/domain/payments/orders/"], may: [...PLATFORM, "events", "ledger"], types: ["db"] },
  cards: { paths: ["src/domain/payments/cards/"], may: [...PLATFORM, "orders"], types: ["db"] },
  chain: { paths: ["src/domain/payments/direct/chain/"], may: PLATFORM },
  protocol: { paths: ["src/domain/payments/direct/protocol/"], may: [...PLATFORM, "orders"], types: ["db"] },
  facilitator: { paths: ["src/domain/payments/direct/facilitator/"], may: [...PLATFORM, "protocol"] },
  journal: { paths: ["src/domain/payments/direct/journal/"], may: PLATFORM, types: ["db", "orders"] },
  settlement: {
    paths: ["src/domain/payments/direct/settlement/"],
    may: [...PLATFORM, "limits", "orders", "chain", "protocol", "facilitator", "journal"],
    types: ["db"],
  },
  direct: {
    paths: ["src/domain/payments/direct/"],
    may: [...PLATFORM, "orders", "chain", "protocol", "facilitator", "settlement"],
    types: ["db"],
  },
  payments: { paths: ["src/domain/payments/"], may: [...PLATFORM, "orders", "cards", "direct"], types: ["db"] },
  accounts: {
    paths: ["src/domain/accounts/"],
    may: [...PLATFORM, "limits", "security-log", "orders", "people"],
    types: ["db"],
  },
  mail: { paths: ["src/domain/mail/"], may: [...PLATFORM, "people"], types: ["db"] },
  "notice-kinds": { paths: ["src/domain/mail/layout/notice-kinds.ts"], may: [] },
  layout: { paths: ["src/domain/mail/layout/"], may: ["platform", "notice-kinds"], types: ["mail"] },
  // The words of every mail: no other room may lay one out.
  templates: {
    paths: ["src/domain/mail/templates/"],
    may: ["platform", "layout"],
    types: ["mail", "events", "payments"],
  },
  "deletion-requests": { paths: ["src/domain/deletion/requests.ts"], may: PLATFORM, types: ["db"] },
  exports: {
    paths: ["src/domain/exports/"],
    may: [...PLATFORM, "limits", "access", "people"],
    types: ["db"],
  },
  users: {
    paths: ["src/domain/users/"],
    may: [
      ...PLATFORM,
      "limits",
      "events",
      "security-log",
      "spending",
      "access",
      "credentials",
      "oauth",
      "webhooks",
      "factors",
      "people",
      "issuer",
      "accounts",
      "connections",
      "exports",
      "templates",
    ],
    types: ["db", "mail", "layout"],
  },
  notices: {
    paths: ["src/domain/notices/"],
    may: [...PLATFORM, "limits", "payments", "mail", "templates", "notice-kinds"],
    types: ["layout", "db", "events"],
  },
  coverage: { paths: ["src/domain/coverage/"], may: [...PLATFORM, "placeholders"], types: ["db"] },
  inbox: { paths: ["src/domain/inbox/"], may: [...PLATFORM, "access"], types: ["db"] },
  projects: {
    paths: ["src/domain/projects/"],
    may: [...PLATFORM, "words", "events", "ledger", "spending", "security-log"],
    types: ["db"],
  },
  tasks: {
    paths: ["src/domain/tasks/"],
    may: [...PLATFORM, "placeholders", "webhooks", "spending", "projects"],
    types: ["db", "words", "events"],
  },
  watches: {
    paths: ["src/domain/watches/"],
    may: [...PLATFORM, "limits", "events", "spending", "security-log", "access", "credentials", "projects", "ledger"],
    types: ["db"],
  },
  disabling: {
    paths: ["src/domain/accounts/disable.ts"],
    may: ["platform", "security-log", "watches"],
    types: ["db"],
  },
  shares: {
    paths: ["src/domain/shares/"],
    may: [...PLATFORM, "events", "security-log", "access", "credentials"],
    types: ["db"],
  },
  deletion: {
    paths: ["src/domain/deletion/"],
    may: [
      ...PLATFORM,
      "ledger",
      "security-log",
      "credentials",
      "oauth",
      "connections",
      "people",
      "accounts",
      "users",
      "projects",
      "watches",
      "shares",
      "deletion-requests",
      "templates",
    ],
    types: ["db"],
  },
  audit: {
    paths: ["src/domain/audit/"],
    may: [...PLATFORM, "ledger", "spending", "payments", "projects", "watches"],
    types: ["db", "events", "orders"],
  },

  sitemap: { paths: ["src/indexing/sitemap/"], may: PLATFORM },
  preflight: { paths: ["src/indexing/preflight/"], may: [...PLATFORM, "projects"] },
  providers: { paths: ["src/indexing/providers/"], may: PLATFORM, types: ["db", "projects"] },
  engines: {
    paths: ["src/indexing/engines/"],
    may: [...PLATFORM, "connections", "preflight", "providers"],
    types: ["db", "projects"],
  },
  sites: {
    paths: ["src/indexing/sites/"],
    may: [...PLATFORM, "limits", "events", "connections", "projects", "providers", "engines"],
    types: ["db"],
  },
  // Makes, looks at and ends the connections of accounts.
  connecting: {
    paths: ["src/indexing/connections/"],
    may: [...PLATFORM, "connections", "providers", "engines"],
    types: ["db"],
  },
  // Reads a few pages for somebody without an account.
  trial: {
    paths: ["src/indexing/preflight/trial.ts"],
    may: [...PLATFORM, "limits", "preflight"],
    types: ["db", "engines"],
  },
  visits: { paths: ["src/indexing/visits/"], may: [...PLATFORM, "projects"], types: ["db"] },
  checker: {
    paths: ["src/indexing/checker/"],
    may: [...PLATFORM, "placeholders", "ledger", "coverage", "projects", "watches", "providers", "sites"],
    types: ["db", "preflight", "engines"],
  },

  watcher: {
    paths: ["src/indexing/watches/"],
    may: [...PLATFORM, "credentials", "watches", "sitemap", "sites"],
    types: ["access", "db"],
  },

  contract: {
    paths: ["src/contract/"],
    may: [
      ...[
        ...PLATFORM,
        "limits",
        "calls",
        "events",
        "webhooks",
        "ledger",
        "spending",
        "security-log",
        "access",
        "credentials",

        "orders",
        "payments",
        "projects",
        "tasks",
        "watches",
        "shares",
      ],
      ...["connections", "preflight", "engines", "sites", "visits"],
    ],
    types: ["db", "sitemap", "coverage"],
  },
  "export-files": {
    paths: ["src/contract/exports/"],
    may: [...PLATFORM, "people", "accounts", "notices", "projects", "watches", "sites", "exports", "contract"],
    types: ["db"],
  },
  tools: {
    paths: ["tools/"],
    may: [
      ...[...PLATFORM, "events", "webhooks", "ledger", "orders", "cards", "direct", "payments", "accounts", "projects"],
      "coverage",
      ...[
        "notices",
        "spending",
        "security-log",
        "watches",
        "shares",
        "access",
        "sitemap",
        "watcher",
        "sites",
        "visits",
        "credentials",

        "contract",
      ],
    ],
    types: ["db"],
  },
  operations: { paths: ["tools/index.ts"], may: ["tools"], types: ["contract"] },

  "http-server": { paths: ["src/surfaces/http-server/"], may: PLATFORM, types: ["orders"] },
  install: { paths: ["src/surfaces/install/"], may: [...PLATFORM, "events"] },
  docs: {
    paths: ["src/surfaces/docs/"],
    may: [
      ...PLATFORM,
      "install",
      "events",
      "subscriptions",
      "security-log",
      "access",
      "oauth",
      "agents",
      "orders",
      "payments",
      "preflight",
      "engines",
      "visits",
      "contract",
      "operations",
      "ledger",
    ],
  },
  discovery: { paths: ["src/surfaces/discovery/"], may: [...PLATFORM, "install", "docs"] },
  rest: { paths: ["rest/"], may: [...PLATFORM, "payments", "contract", "operations", "http-server"] },
  a2a: {
    paths: ["a2a/"],
    may: [
      ...PLATFORM,
      "webhooks",
      "spending",

      "access",
      "credentials",

      "notices",
      "tasks",
      "contract",
      "operations",
      "http-server",
    ],
    types: ["db", "orders"],
  },
  mcp: {
    paths: ["src/surfaces/mcp/"],
    may: [
      ...PLATFORM,
      "limits",
      "events",
      "webhooks",
      "subscriptions",
      "notices",
      "access",
      "credentials",
      "projects",
      "contract",
      "operations",
      "http-server",
      "install",
    ],
    types: ["orders"],
  },
  "oauth-endpoints": {
    paths: ["src/surfaces/oauth/"],
    may: [...PLATFORM, "limits", "access", "credentials", "oauth", "agents", "people", "http-server", "templates"],
    types: ["contract", "mail"],
  },
  "payment-events": {
    paths: ["src/surfaces/payment-events/"],
    may: [...PLATFORM, "cards", "payments", "http-server"],
    types: ["contract"],
  },
  "visit-push": {
    paths: ["src/surfaces/visit-push/"],
    may: [...PLATFORM, "credentials", "tools", "http-server"],
    types: ["contract"],
  },
  "publish-hooks": {
    paths: ["src/surfaces/publish-hooks/"],
    may: [...PLATFORM, "credentials", "watches", "watcher", "http-server"],
    types: ["contract"],
  },
  // Runs in browsers; what the server shares with it is here too.
  browser: { paths: ["src/surfaces/website/browser/"], may: ["platform", "lists"] },
  // The rooms of the website. What is shown, and the shell around it, know no subject; subjects do not know each other, but for
  // the account, whose page of security shows how one signs in, the overview, which shows something of each, and shares, which have
  // the words of their pages.
  "website/components": {
    paths: ["src/surfaces/website/components/", "src/surfaces/website/charts/"],
    may: [...PLATFORM],
  },
  "website/shell": {
    paths: ["src/surfaces/website/shell/"],
    may: [
      ...PLATFORM,
      "inbox",
      "access",
      "credentials",
      "users",
      "contract",
      "http-server",
      "docs",
      "website/components",
    ],
    types: ["db", "mail", "trial"],
  },
  "website/spending-fields": {
    paths: ["src/surfaces/website/spending/"],
    may: [...PLATFORM, "spending", "credentials", "website/components", "website/shell"],
    types: ["db"],
  },
  "website/public": {
    paths: ["src/surfaces/website/public/"],
    may: [
      ...PLATFORM,
      "http-server",
      "install",
      "docs",
      "browser",
      "website/components",
      "website/shell",
      "website/spending-fields",
    ],
    types: ["discovery"],
  },
  "website/try": {
    paths: ["src/surfaces/website/try/"],
    may: [...PLATFORM, "preflight", "contract", "tools", "website/components", "website/shell"],
    types: ["trial"],
  },
  "website/sign-in": {
    paths: ["src/surfaces/website/sign-in/"],
    may: [
      ...PLATFORM,
      "spending",
      "access",
      "credentials",
      "oauth",
      "agents",
      "factors",
      "people",
      "issuer",
      "templates",
      "users",
      "website/components",
      "website/shell",
      "website/spending-fields",
    ],
    types: ["db"],
  },
  "website/sites": {
    paths: ["src/surfaces/website/sites/"],
    may: [
      ...PLATFORM,
      "ledger",
      "watches",
      "connections",
      "people",
      "sites",
      "connecting",
      "projects",
      "visits",
      "contract",
      "tools",
      "website/components",
      "website/shell",
    ],
  },
  "website/projects": {
    paths: ["src/surfaces/website/projects/"],
    may: [
      ...PLATFORM,
      "calls",
      "inbox",
      "ledger",
      "orders",
      "people",
      "projects",
      "visits",
      "contract",
      "tools",
      "website/components",
      "website/shell",
      "website/spending-fields",
    ],
  },
  "website/shares": {
    paths: ["src/surfaces/website/shares/"],
    may: [
      ...PLATFORM,
      "limits",
      "credentials",
      "projects",
      "shares",
      "tools",
      "http-server",
      "website/components",
      "website/shell",
      "website/projects",
    ],
    types: ["contract"],
  },
  "website/credits": {
    paths: ["src/surfaces/website/credits/"],
    may: [
      ...PLATFORM,
      "limits",
      "ledger",
      "orders",
      "cards",
      "payments",
      "accounts",
      "projects",
      "spending",
      "security-log",
      "tools",
      "website/components",
      "website/shell",
      "website/spending-fields",
    ],
    types: ["db", "contract"],
  },
  "website/agents": {
    paths: ["src/surfaces/website/agents/"],
    may: [
      ...PLATFORM,
      "calls",
      "events",
      "ledger",
      "spending",
      "security-log",
      "access",
      "credentials",
      "oauth",
      "webhooks",
      "people",
      "orders",
      "templates",
      "subscriptions",
      "tasks",
      "contract",
      "tools",
      "website/components",
      "website/shell",
      "website/spending-fields",
    ],
  },
  "website/account": {
    paths: ["src/surfaces/website/account/"],
    may: [
      ...PLATFORM,
      "limits",
      "security-log",
      "people",
      "accounts",
      "notice-kinds",
      "deletion-requests",
      "users",
      "notices",
      "deletion",
      "exports",
      "spending",
      "connecting",
      "tools",
      "http-server",
      "website/components",
      "website/shell",
      "website/sign-in",
      "website/spending-fields",
    ],
    types: ["contract"],
  },
  "website/overview": {
    paths: ["src/surfaces/website/overview/"],
    may: [
      ...PLATFORM,
      "inbox",
      "ledger",
      "orders",
      "projects",
      "tools",
      "website/components",
      "website/shell",
      "website/sites",
      "website/projects",
    ],
    types: ["spending", "contract"],
  },
  website: {
    paths: ["src/surfaces/website/"],
    may: [
      ...PLATFORM,
      "http-server",
      "website/shell",
      "website/public",
      "website/try",
      "website/sign-in",
      "website/sites",
      "website/projects",
      "website/shares",
      "website/credits",
      "website/agents",
      "website/account",
      "website/overview",
    ],
    types: ["discovery"],
  },

  instance: {
    paths: ["instance", "listen", "log"].map((name) => `src/process/${name}.ts`),
    may: [...PLATFORM, "db", "credentials", "payments"],
  },
  health: { paths: ["src/process/health/"], may: [...PLATFORM, "http-server"], types: ["db"] },
  metrics: {
    paths: ["src/process/metrics/"],
    may: [...PLATFORM, "projects", "http-server"],
    types: ["db", "health", "instance"],
  },
  tracing: { paths: ["src/process/tracing/"], may: PLATFORM, types: ["db", "contract", "instance"] },
  doctor: {
    paths: ["src/process/doctor/"],
    may: [...PLATFORM, "db", "mail", "issuer", "cards", "payments", "audit", "engines", "providers", "instance"],
  },
  bulk: { paths: ["src/process/bulk/"], may: [...PLATFORM, "db", "payments", "contract", "operations"] },
  scheduler: { paths: ["src/process/scheduler/"], may: ["platform", "errors"], types: ["db"] },
  process: {
    paths: ["src/process/"],
    may: [
      ...[
        ...PLATFORM,
        "calls",
        "trial",
        "events",
        "webhooks",
        "spending",

        "credentials",
        "agents",
        "factors",
        "limits",
        "security-log",
        "oauth",
        "cards",
        "payments",
        "people",
        "accounts",
        "mail",
        "users",
        "notices",
        "subscriptions",
        "tasks",
        "watches",
        "shares",
        "deletion",
        "exports",
        "export-files",
        "connections",
        "connecting",
      ],
      ...[
        "providers",
        "engines",
        "checker",
        "watcher",
        "contract",
        "http-server",
        "docs",
        "discovery",
        "rest",
        "a2a",
        "mcp",
        "oauth",
      ],
      ...["visits", "visit-push", "publish-hooks", "coverage"],
      ...["payment-events", "website", "instance", "doctor", "health", "metrics", "tracing", "scheduler", "bulk", "db"],
      "projects",
      "oauth-endpoints",
      "templates",
    ],
    types: ["website/shell", "orders"],
  },
  commands: {
    paths: ["src/commands/"],
    may: [
      ...[
        ...PLATFORM,
        "db",
        "ledger",
        "spending",
        "access",
        "credentials",
        "oauth",
        "orders",
        "cards",
        "people",
        "accounts",
        "disabling",
        "security-log",
        "users",
        "audit",
      ],
      ...["providers", "calls", "instance", "doctor", "process", "client"],
    ],
  },
  main: { paths: ["src/main.ts"], may: ["platform", "commands"] },
};

export interface Floor {
  /** Its folders, which end in `/`, and files. */
  readonly places: readonly string[];
  /** What it is for, in a few words. */
  readonly about: string;
}

/** The floors of the house from the ground up. The client stands next to it. */
export const FLOORS: readonly Floor[] = [
  { places: ["src/platform/"], about: "clock, ids, settings, errors, the one client for outgoing HTTP" },
  { places: ["db/"], about: "the database" },
  { places: ["src/domain/"], about: "what the product knows and decides, and the rows that hold it" },
  { places: ["src/indexing/"], about: "the work on links: read pages, send, look up" },
  { places: ["src/contract/"], about: "what an operation is, and the pipeline that every call goes through" },
  { places: ["tools/"], about: "the product: one operation a file" },
  { places: ["rest/", "a2a/", "src/surfaces/"], about: "decode a request, call an operation, encode the answer" },
  {
    places: ["src/process/", "src/commands/", "src/main.ts"],
    about: "the program: start and stop, background work, health, metrics; its commands",
  },
];

/** The room that a file stands in. */
export function roomOf(path: string): string | undefined {
  const fits = Object.entries(ROOMS).flatMap(([name, { paths }]) =>
    paths.filter((one) => isAt(path, one)).map((one) => [name, one.length] as const),
  );
  return fits.sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** The number of the floor that a file stands on, from 0; -1: on none. */
export function floorOf(path: string): number {
  return FLOORS.findIndex(({ places }) => places.some((place) => isAt(path, place)));
}

export function isAt(path: string, where: string): boolean {
  return path === where || (where.endsWith("/") && path.startsWith(where));
}
