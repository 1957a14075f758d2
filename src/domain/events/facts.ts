import type { SearchService } from "../../platform/search-services.ts";

/** How many credits a cause gave back, and how many links have which state, in the form in which receivers get them. */
export interface EventCounts {
  readonly indexed: number;
  readonly not_indexed: number;
  readonly failed: number;
}

// What several types of events say, and an example of each.

export interface ApprovalFacts {
  readonly approval_id: string;
  /** Id of the key or grant. */
  readonly credential_id: string;
  readonly operation: string;
  /** What the call costs at most. */
  readonly credits: number;
}

export interface WatchFacts {
  readonly watch_id: string;
  readonly sitemap_url: string;
}

export interface WatchCounts {
  readonly new: number;
  readonly changed: number;
  readonly removed: number;
}

export interface OrderFacts {
  readonly order_id: string;
  readonly pack: string;
  readonly credits: number;
  readonly amount_cents: number;
  readonly currency: string;
  readonly method: string;
}

export interface ConnectionFacts {
  readonly connection_id: string;
  readonly name: string;
  readonly scopes: readonly string[];
}

export interface ShareFacts {
  readonly share_id: string;
  /** What it shows: a project, or else a host. */
  readonly project_id: string | null;
  readonly host: string | null;
  readonly title: string;
  /** ISO 8601. */
  readonly expires_at: string;
}

export interface ExperimentFacts {
  readonly experiment_id: string;
  readonly project_id: string;
  readonly control_project_id: string;
  readonly verdict: string;
  /** In percentage points, with its interval; null where a group has no answer. */
  readonly difference: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

export interface FailingConnectionFacts {
  readonly connection_id: string;
  readonly kind: SearchService;
  /** The address of the Google account, or the end of the key. */
  readonly name: string;
  /** `access_revoked`: the other side takes the access no more. `no_answer`: it has not answered for three days. */
  readonly reason: "access_revoked" | "no_answer";
}

export interface MemberFacts {
  readonly person_id: string;
  readonly role: string;
}

export const project_id = "prj_0123456789abc";
export const order = {
  order_id: "ord_0123456789abcdefghjk",
  pack: "basic",
  credits: 150,
  amount_cents: 999,
  currency: "usd",
  method: "card",
};

export const approval = {
  approval_id: "apr_0123456789abcdefghjk",
  credential_id: "grt_0123456789abcdefghjk",
  operation: "submit_urls",
  credits: 400,
};

export const watch = { watch_id: "wat_0123456789abcdefghjk", sitemap_url: "https://example.com/sitemap.xml" };

export const experiment = {
  experiment_id: "exp_0123456789abcdefghjk",
  project_id,
  control_project_id: "prj_3456789abcdef",
  verdict: "helped",
  difference: 21.5,
  low: 8.2,
  high: 34.1,
};

export const share: ShareFacts = {
  share_id: "shr_0123456789abcdefghjk",
  project_id,
  host: null,
  title: "Spring pages",
  expires_at: "2026-02-18T12:30:00.000Z",
};

export const failingConnection: FailingConnectionFacts = {
  connection_id: "con_0123456789abcdefghjk",
  kind: "search_console",
  name: "ann@example.com",
  reason: "access_revoked",
};
