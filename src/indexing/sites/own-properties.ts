import type { Reader } from "../../../db/engine.ts";
import {
  type ConnectionKind,
  type ConnectionRow,
  connectionsOf,
  propertiesIn,
  takesSitemaps,
} from "../../domain/connections/connections.ts";
import type { OwnProperty } from "../engines/engine.ts";
import { reachesHost } from "../engines/live/google/properties.ts";

/** A property by which pages are reached, and a host is verified where the account owns it. */
export interface ProvingProperty extends OwnProperty {
  readonly isOwner: boolean;
  /** Real time. */
  readonly checkedAt: number;
}

/** What a permission opens. A restricted user of Search Console may not inspect (support.google.com/webmasters/answer/7687615). */
const OPENS: Readonly<Record<string, { readonly isOwner: boolean }>> = {
  siteOwner: { isOwner: true },
  siteFullUser: { isOwner: false },
  verified: { isOwner: false },
};

export function opens(permission: string): { readonly isOwner: boolean } | null {
  return Object.hasOwn(OPENS, permission) ? OPENS[permission]! : null;
}

/**
 * The properties of an account's connections that work. The widest comes first, since one property has the quota of a page;
 * of several connections to a property the one comes first that has answered last.
 */
export async function ownProperties(db: Reader, accountId: string): Promise<readonly ProvingProperty[]> {
  return provingProperties(await connectionsOf(db, accountId));
}

/** The same, of connections that are known. */
export function provingProperties(connections: readonly ConnectionRow[]): readonly ProvingProperty[] {
  const working = connections.filter(({ failingSince }) => failingSince === null);
  const newest = working.sort((a, b) => (b.checkedAt ?? 0) - (a.checkedAt ?? 0));
  return newest.flatMap(propertiesOf).sort((a, b) => widthOf(a.name) - widthOf(b.name));
}

function propertiesOf(row: ConnectionRow): ProvingProperty[] {
  const { id: connectionId, kind, checkedAt } = row;
  return propertiesIn(row).flatMap(({ name, permission }) => {
    const opened = opens(permission);
    const whose = { connectionId, kind: kind as ConnectionKind, takesSitemaps: takesSitemaps(row) };
    return opened ? [{ ...whose, ...opened, name, checkedAt: checkedAt ?? 0 }] : [];
  });
}

/** A domain property has every page of its hosts; of two prefixes or domains the shorter one has more. */
function widthOf(property: string): number {
  return property.startsWith("sc-domain:") ? property.length - 10_000 : property.length;
}

/** An account's connection with a property that opens pages of a host. */
export interface HostConnection {
  readonly kind: ConnectionKind;
  /** The property, the widest where there are several. */
  readonly property: string;
  /** Why it gives no access; null: it works. */
  readonly failure: string | null;
}

export async function connectionsOfHost(db: Reader, accountId: string, host: string): Promise<HostConnection[]> {
  return (await connectionsOf(db, accountId)).flatMap((row) => {
    const [property] = propertiesOf(row)
      .map(({ name }) => name)
      .filter((name) => reachesHost(name, host))
      .sort((a, b) => widthOf(a) - widthOf(b));
    return property ? [{ kind: row.kind as ConnectionKind, property, failure: row.failure }] : [];
  });
}
