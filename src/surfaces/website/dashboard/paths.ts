/** The pages of the dashboard. */
export const PATHS = {
  overview: "/dashboard",
  projects: "/dashboard/projects",
  orders: "/dashboard/orders",
  ledger: "/dashboard/ledger",
  buy: "/dashboard/buy",
  keys: "/dashboard/keys",
  apps: "/dashboard/apps",
  security: "/dashboard/security",
} as const;
