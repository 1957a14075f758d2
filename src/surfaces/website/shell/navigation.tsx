import type { VNode } from "preact";
import { formatCount } from "../../../platform/format.ts";
import type { Role } from "../../../platform/principal.ts";
import { allows, type Need } from "../../../platform/roles.ts";
import { ACCOUNT_PATHS, PATHS } from "./addresses.ts";
import { useIsSelling } from "./deployment.tsx";

interface Place {
  /** Its name in the navigation of its section. */
  readonly label: string;
  readonly path: string;
  /** What one must be allowed to do for it; absent: nothing. */
  readonly need?: Need;
}

/** The six sections of the dashboard, each with its pages. The name of a section leads to its first page. */
const SECTIONS = {
  Overview: { overview: { label: "Overview", path: PATHS.overview } },
  Sites: {
    sites: { label: "Sites", path: PATHS.sites },
    watches: { label: "Watches", path: PATHS.watches },
    connections: { label: "Connections", path: PATHS.connections },
  },
  Projects: {
    projects: { label: "All projects", path: PATHS.projects },
    newProject: { label: "New project", path: PATHS.newProject },
    shares: { label: "Shared results", path: PATHS.shares },
  },
  Credits: {
    credits: { label: "Balance", path: PATHS.credits },
    buy: { label: "Buy credits", path: PATHS.buy },
    orders: { label: "Orders", path: PATHS.orders },
    ledger: { label: "Credit history", path: PATHS.ledger },
    spending: { label: "Spending", path: PATHS.spending },
  },
  "Agents and API": {
    keys: { label: "API keys", path: PATHS.keys },
    apps: { label: "Apps and agents", path: PATHS.apps },
    approvals: { label: "Approvals", path: PATHS.approvals },
    webhooks: { label: "Webhooks", path: PATHS.webhooks },
  },
  Account: {
    profile: { label: "Profile", path: PATHS.profile },
    security: { label: "Security", path: PATHS.security },
    people: { label: "People", path: PATHS.people },
    activity: { label: "Activity", path: ACCOUNT_PATHS.activity },
    notices: { label: "Notices", path: PATHS.notices },
    usage: { label: "Usage and limits", path: PATHS.usage },
    export: { label: "Export", path: ACCOUNT_PATHS.export, need: "settings" },
    deletion: { label: "Delete", path: ACCOUNT_PATHS.delete, need: "owners" },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Place>>>>;

type SectionName = keyof typeof SECTIONS;
type PlaceIn<Name> = Name extends SectionName ? keyof (typeof SECTIONS)[Name] : never;

/** A page that the navigation leads to, or the page of results of the search. Other pages stand at one of them. */
export type PlaceName = PlaceIn<SectionName> | "search";

const NAMES = Object.keys(SECTIONS) as SectionName[];

const placesIn = (section: SectionName) => Object.entries(SECTIONS[section] as Readonly<Record<string, Place>>);

function sectionOf(place: PlaceName): SectionName | undefined {
  return NAMES.find((name) => place in SECTIONS[name]);
}

/** What a title says after its own words: the page of the navigation and the section at which it stands. */
export function titleOf(place: PlaceName, title: string): string {
  const section = sectionOf(place);
  const label = section ? placesIn(section).find(([name]) => name === place)![1].label : title;
  return [...new Set([title, label, section ?? title, "Beckon"])].join(" - ");
}

/** The page of the navigation that a path is at, or below; the overview where it is at none. */
export function placeAt(path: string): { readonly name: PlaceName; readonly label: string; readonly path: string } {
  const isAt = (place: Place) => path === place.path || path.startsWith(`${place.path}/`);
  const found = NAMES.flatMap(placesIn)
    .filter(([, place]) => isAt(place))
    .sort(([, a], [, b]) => b.path.length - a.path.length)[0]!;
  const [name, place] = found ?? ["overview", SECTIONS.Overview.overview];
  return { name: name as PlaceName, label: place.label, path: place.path };
}

/** The id of the navigation, which a button of the header shows on a phone. */
export const NAVIGATION_ID = "sections";

/** The sections, as tabs on a desk and as a menu on a phone. @param needs how many things wait for the reader */
export function Sections({ at, needs }: { at: PlaceName; needs: number }): VNode {
  const current = sectionOf(at);
  return (
    <nav id={NAVIGATION_ID} class="sections" aria-label="Dashboard" popover="auto">
      {NAMES.map((name) => {
        const [[, { path }], ...others] = placesIn(name) as [[string, Place], ...[string, Place][]];
        return (
          <a key={name} href={path} aria-current={name !== current ? undefined : others.length > 0 ? "true" : "page"}>
            {name}
            {name === "Overview" && <NeedsCount needs={needs} />}
          </a>
        );
      })}
    </nav>
  );
}

/** A larger number says no more to a reader. */
const MOST_COUNTED = 99;

/** How many things wait for the reader. */
export function NeedsCount({ needs }: { needs: number }): VNode | null {
  if (needs === 0) return null;
  return (
    <span class="count">
      {needs > MOST_COUNTED ? `${MOST_COUNTED}+` : needs}
      <span class="visually-hidden"> {needs === 1 ? "needs" : "need"} you</span>
    </span>
  );
}

/** The pages of a section; nothing where it has one. */
export function SectionPages({ at, role }: { at: PlaceName; role: Role }): VNode | null {
  const isSelling = useIsSelling();
  const section = sectionOf(at);
  const places = section ? placesIn(section).filter(([, { need }]) => need === undefined || allows(role, need)) : [];
  if (places.length < 2) return null;
  return (
    <nav class="section-pages" aria-label={section}>
      {places.map(([name, { label, path }]) => (
        <a key={name} href={path} aria-current={name === at ? "page" : undefined}>
          {name === "buy" && !isSelling ? "Get credits" : label}
        </a>
      ))}
    </nav>
  );
}

/** The balance, in the header of every page. */
export function Balance({ credits }: { credits: number }): VNode {
  return (
    <a class="balance" href={PATHS.credits}>
      {formatCount(credits, "credit")}
    </a>
  );
}
