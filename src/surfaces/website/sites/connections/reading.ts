import {
  type ConnectionKind,
  type ConnectionRow,
  connectionsOf,
  propertiesIn,
  takesSitemaps,
} from "../../../../domain/connections/connections.ts";
import {
  CALLBACK_PATH,
  canConnectGoogle,
  consentOrigin,
  type NotConnected,
} from "../../../../indexing/connections/connect.ts";
import { opens } from "../../../../indexing/sites/own-properties.ts";
import type { SignedInRequest, WebsiteServices } from "../../shell/page-request.ts";

export { CALLBACK_PATH, canConnectGoogle, consentOrigin, type NotConnected };

/** A connection as its page shows it. */
export interface ConnectionView extends Pick<ConnectionRow, "id" | "name" | "checkedAt" | "failingSince" | "failure"> {
  readonly kind: ConnectionKind;
  readonly takesSitemaps: boolean;
  readonly properties: readonly PropertyView[];
}

export interface PropertyView {
  readonly name: string;
  /** Null: the permission opens nothing. */
  readonly opens: { readonly isOwner: boolean } | null;
}

/** What only the page shows: every property, with what it opens. */
export async function connectionViews({ db }: WebsiteServices, request: SignedInRequest): Promise<ConnectionView[]> {
  const rows = await connectionsOf(db, request.session.accountId);
  return rows.map((row) => {
    const { id, name, checkedAt, failingSince, failure } = row;
    const properties = propertiesIn(row).map((one) => ({ name: one.name, opens: opens(one.permission) }));
    return {
      id,
      kind: row.kind as ConnectionKind,
      name,
      checkedAt,
      failingSince,
      failure,
      takesSitemaps: takesSitemaps(row),
      properties,
    };
  });
}
