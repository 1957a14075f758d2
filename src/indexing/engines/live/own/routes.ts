import type { OwnedSite, OwnProperty } from "../../engine.ts";
import { isOfProperty } from "../google/properties.ts";

/**
 * The own connections by which a page is reached in one property, the best first. Only one property is used for a page: with
 * several, what Google allows for a site would be multiplied.
 */
export function routesOf(
  kind: OwnProperty["kind"],
  url: string,
  site: OwnedSite | null,
  fits: (property: OwnProperty) => boolean = () => true,
): readonly OwnProperty[] {
  const having = (site?.own ?? []).filter((one) => one.kind === kind && fits(one) && isOfProperty(url, one.name));
  return having.filter(({ name }) => name === having[0]!.name);
}
