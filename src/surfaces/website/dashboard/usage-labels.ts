import type { Scope } from "../../../platform/principal.ts";
import { type Html, html } from "../html.ts";
import { relativeTime, timeElement } from "./dates.ts";

/** The scopes of a key, an app or an agent. */
export function scopeList(scopes: readonly Scope[]): Html {
  if (scopes.length === 0) return html`Permissions: reading the account only`;
  return html`Permissions: ${scopes.map((scope, n) => html`${n > 0 ? ", " : ""}<code>${scope}</code>`)}`;
}

export function lastUsed(at: number | null, now: number): Html {
  if (at === null) return html`Never used`;
  return html`Last used ${timeElement(at)} <span class="soft">${relativeTime(at, now)}</span>`;
}
