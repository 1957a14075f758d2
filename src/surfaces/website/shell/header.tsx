import type { VNode } from "preact";
import type { Role } from "../../../platform/principal.ts";
import { SIZES } from "../../../platform/sizes.ts";
import { Button } from "../components/button.tsx";
import { Form } from "../components/form.tsx";
import { ACCOUNTS_PATH, PATHS } from "./addresses.ts";
import { useIsSelling } from "./deployment.tsx";
import { Balance, NAVIGATION_ID, NeedsCount, type PlaceName, Sections } from "./navigation.tsx";

/** Whoever is signed in, and the token of the form that signs them out. */
export interface SignedIn {
  readonly email: string;
  /** Of the account; by default the part of the address before the @. */
  readonly name: string;
  readonly role: Role;
  /** How many accounts the person may choose. */
  readonly accounts: number;
  readonly csrfToken: string;
  /** What the header says of the account, on pages of the dashboard. */
  readonly figures?: Figures | null;
}

export interface Figures {
  readonly credits: number;
  /** How many things wait for the reader. */
  readonly needs: number;
}

/** The header of public pages, and of pages that belong to no section. */
export function SiteHeader({ account }: { account: SignedIn | null | undefined }): VNode {
  return (
    <header class="site-header">
      <div class="top">
        <Brand />
        <nav aria-label="Site">
          <a href="/docs">Docs</a>
          <a href="/pricing">{useIsSelling() ? "Pricing" : "Credits"}</a>
          <a href={PATHS.overview}>Dashboard</a>
        </nav>
        {account === null && (
          <div class="account">
            <a href="/sign-in">Sign in</a>
          </div>
        )}
      </div>
    </header>
  );
}

interface DashboardHeaderProps {
  readonly account: SignedIn;
  readonly at: PlaceName;
  /** What was searched for, on the page of its results. */
  readonly search: string;
}

/** The header of the dashboard: the search, the balance, who is signed in, and the sections. Its menus need no script. */
export function DashboardHeader({ account, at, search }: DashboardHeaderProps): VNode {
  const { credits, needs } = account.figures!;
  return (
    <header class="site-header dashboard">
      <div class="top">
        <Brand />
        <search class="find">
          <form method="get" action={PATHS.search}>
            <input
              type="search"
              name="q"
              value={search}
              maxLength={SIZES.search}
              autocomplete="off"
              spellcheck={false}
              aria-label="Search URLs, projects, sites and orders"
              placeholder="Search URLs, projects, sites"
              data-slash
            />
          </form>
        </search>
        <Balance credits={credits} />
        <AccountMenu account={account} />
        <button type="button" class="opens navigation" popovertarget={NAVIGATION_ID}>
          Menu <NeedsCount needs={needs} />
        </button>
      </div>
      <Sections at={at} needs={needs} />
    </header>
  );
}

const ACCOUNT_MENU_ID = "account-menu";

function AccountMenu({ account }: { account: SignedIn }): VNode {
  const name = nameOf(account);
  return (
    <>
      <button type="button" class="opens who" popovertarget={ACCOUNT_MENU_ID}>
        <span class="initial" aria-hidden="true">
          {[...name][0]!.toUpperCase()}
        </span>
        <span class="words">
          <span class="visually-hidden">Signed in as </span>
          {name}
        </span>
      </button>
      <div id={ACCOUNT_MENU_ID} class="account-menu" popover="auto">
        <p>{name}</p>
        {account.accounts > 1 && <a href={ACCOUNTS_PATH}>Switch account</a>}
        <a href="/docs">Docs</a>
        <a href="/support">Support</a>
        <Form request={account} action="/sign-out">
          <Button variant="quiet small">Sign out</Button>
        </Form>
      </div>
    </>
  );
}

function Brand(): VNode {
  return (
    <a class="brand" href="/">
      Beckon
    </a>
  );
}

/** The address, after the name where its user has chosen one. */
function nameOf({ name, email }: SignedIn): string {
  return email.startsWith(`${name}@`) ? email : `${name} (${email})`;
}
