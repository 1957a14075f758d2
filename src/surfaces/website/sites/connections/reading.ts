import {
  type ConnectionKind,
  type ConnectionRow,
  connectionsOf,
  propertiesIn,
  takesSitemaps,
} from "../../../../domain/connections/connections.ts";
import { personWords } from "../../../../domain/people/words.ts";
import {
  CALLBACK_PATH,
  canConnectGoogle,
  consentOrigin,
  type NotConnected,
} from "../../../../indexing/connections/connect.ts";
import { opens } from "../../../../indexing/sites/own-properties.ts";
import { hasRight } from "../../../../platform/roles.ts";
import type { SignedInRequest, WebsiteServices } from "../../shell/page-request.ts";

export { CALLBACK_PATH, canConnectGoogle, consentOrigin, type NotConnected };

/** A connection as its page shows it. */
export interface ConnectionView extends Pick<ConnectionRow, "id" | "name" | "checkedAt" | "failingSince" | "failure"> {
  readonly kind: ConnectionKind;
  readonly takesSitemaps: boolean;
  /** Who has connected it, as the reader may know it. */
  readonly by: string | null;
  /** Whether the reader may end it. */
  readonly mayEnd: boolean;
  readonly properties: readonly PropertyView[];
}

export interface PropertyView {
  readonly name: string;
  /** Null: the permission opens nothing. */
  readonly opens: { readonly isOwner: boolean } | null;
}

/** What only the page shows: every property, with what it opens. */
export async function connectionViews({ db }: WebsiteServices, request: SignedInRequest): Promise<ConnectionView[]> {
  const { session } = request;
  const views: ConnectionView[] = [];
  for (const row of await connectionsOf(db, session.accountId)) {
    const { id, name, checkedAt, failingSince, failure } = row;
    const properties = propertiesIn(row).map((one) => ({ name: one.name, opens: opens(one.permission) }));
    const isOwn = row.personId === session.personId;
    views.push({
      id,
      kind: row.kind as ConnectionKind,
      name,
      checkedAt,
      failingSince,
      failure,
      takesSitemaps: takesSitemaps(row),
      properties,
      by: await personWords(db, session, row.personId),
      mayEnd: hasRight(session.role, isOwn ? "settings" : "owners"),
    });
  }
  return views;
}
