import { APPROVALS_PATH, PEOPLE_PATH, SPENDING_PATH } from "../../../contract/spending-refusal.ts";

/** The pages of the dashboard. The tests of its routes and the tests in Chromium open each of them. */
export const PATHS = {
  overview: "/dashboard",
  search: "/dashboard/search",
  projects: "/dashboard/projects",
  newProject: "/dashboard/projects/new",
  watches: "/dashboard/watches",
  sites: "/dashboard/sites",
  connections: "/dashboard/connections",
  shares: "/dashboard/shares",
  credits: "/dashboard/credits",
  orders: "/dashboard/orders",
  ledger: "/dashboard/ledger",
  spending: SPENDING_PATH,
  buy: "/dashboard/buy",
  keys: "/dashboard/keys",
  apps: "/dashboard/apps",
  approvals: APPROVALS_PATH,
  webhooks: "/dashboard/webhooks",
  profile: "/dashboard/profile",
  people: PEOPLE_PATH,
  notices: "/dashboard/notices",
  security: "/dashboard/security",
  usage: "/dashboard/usage",
} as const;

/** Where strangers try a few of their pages. */
export const TRY_PATH = "/try";

/** Where users change the e-mail address of their account, delete it, and export what it holds. */
export const ACCOUNT_PATHS = {
  address: `${PATHS.security}/address`,
  delete: `${PATHS.security}/delete`,
  export: `${PATHS.security}/export`,
  name: `${PATHS.profile}/name`,
  activity: "/dashboard/activity",
} as const;

/** The page on which a person chooses an account, and accepts invitations. */
export const ACCOUNTS_PATH = "/dashboard/accounts";

/** The page of an account that will be deleted, on which it can be kept. */
export const DELETION_PATH = "/account/deletion";

/** Where users add and remove what they prove themselves by. */
export const FACTOR_PATHS = {
  section: `${PATHS.security}#factors`,
  passkeys: `${PATHS.security}/passkeys`,
  newPasskey: `${PATHS.security}/passkeys/new`,
  passkeyOptions: `${PATHS.security}/passkeys/options`,
  app: `${PATHS.security}/app`,
  newApp: `${PATHS.security}/app/new`,
  removeApp: `${PATHS.security}/app/remove`,
  recoveryCodes: `${PATHS.security}/recovery-codes`,
  secondStep: `${PATHS.security}/second-step`,
  cancelRemoval: `${PATHS.security}/removal/cancel`,
} as const;

/** The receipt of a paid order. */
export function receiptPath(orderId: string): string {
  return `${PATHS.orders}/${orderId}/receipt`;
}

/** The report of a project. */
export function reportPath(projectId: string): string {
  return `${PATHS.projects}/${projectId}/report`;
}

/** The page of a host. @param query after it, such as `done=added` */
export function sitePath(host: string, query = ""): string {
  return `${PATHS.sites}/${encodeURIComponent(host)}${query && `?${query}`}`;
}

/** The form of a link to results. @param subject the id of a project, or a host; without one, as the route has it */
export function newSharePath(subject: { readonly project?: string; readonly host?: string } = {}): string {
  const query = new URLSearchParams(Object.entries(subject).filter(([, value]) => value));
  return `${PATHS.shares}/new${query.size > 0 ? `?${query}` : ""}`;
}

/** The page of one key. */
export function keyPath(id: string): string {
  return `${PATHS.keys}/${id}`;
}

/** The page of one app or agent. @param id of any of its connections */
export function appPath(id: string): string {
  return `${PATHS.apps}/${id}`;
}

/** Asked by the script of the form of a new project. */
export const REPEATS_PATH = `${PATHS.newProject}/repeats`;
