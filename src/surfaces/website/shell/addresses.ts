import { APPROVALS_PATH } from "../../../contract/spending-refusal.ts";

/** The pages of the dashboard. The tests of its routes, and those in Chromium, open each of them. */
export const PATHS = {
  overview: "/dashboard",
  projects: "/dashboard/projects",
  newProject: "/dashboard/projects/new",
  watches: "/dashboard/watches",
  sites: "/dashboard/sites",
  credits: "/dashboard/credits",
  orders: "/dashboard/orders",
  ledger: "/dashboard/ledger",
  buy: "/dashboard/buy",
  keys: "/dashboard/keys",
  apps: "/dashboard/apps",
  approvals: APPROVALS_PATH,
  webhooks: "/dashboard/webhooks",
  notices: "/dashboard/notices",
  security: "/dashboard/security",
} as const;

/** The receipt of a paid order. */
export function receiptPath(orderId: string): string {
  return `${PATHS.orders}/${orderId}/receipt`;
}

/** The report of a project. */
export function reportPath(projectId: string): string {
  return `${PATHS.projects}/${projectId}/report`;
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
