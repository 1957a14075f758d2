import type { Tx } from "../../../../db/engine.ts";
import { newId, randomText } from "../../../platform/ids.ts";
import { SIZES } from "../../../platform/sizes.ts";
import { packUrls } from "../../../platform/urls/packed-urls.ts";
import { type Created, createProject, planOf, spendFor, writeProject } from "../create.ts";
import type { CheckDraft, IndexDraft } from "../draft.ts";
import type { ProjectRow } from "../read.ts";
import { chooseHeld, heldCount } from "./choose.ts";
import { holdoutNotPossible } from "./refusal.ts";

export interface Submitted extends Created {
  readonly experiment?: { readonly id: string; readonly control: ProjectRow };
}

/**
 * Makes a project, and with `holdoutPercent` an experiment: a part of the pages is held out, and looked up as a project of its own.
 * @throws Refusal holdout_not_possible, and as `createProject`
 */
export async function submitProject(tx: Tx, draft: IndexDraft): Promise<Submitted> {
  const { holdoutPercent, ...common } = draft;
  if (holdoutPercent === undefined) return createProject(tx, common);
  const all = draft.urls.toArray();
  const held = requireHeld(all.length, holdoutPercent);
  const [id, seed] = [newId("exp"), randomText(20)];
  const isHeld = new Set(chooseHeld(all, held, seed));
  const arm = (which: boolean) => packUrls(all.filter((_, position) => isHeld.has(position) === which));
  const name = draft.name || new URL(all[0]!).hostname;
  const sentDraft: IndexDraft = { ...common, name, urls: arm(false) };
  const { accountId, spender, now, service, dripDays, preflight = false } = draft;
  const caller = { accountId, now, service, ...(spender ? { spender } : {}) };
  const how = { name: heldName(name), urls: arm(true), dripDays, preflight };
  const heldDraft: CheckDraft = { kind: "check", isHeldOut: true, ...caller, ...how };
  const plans = [planOf(sentDraft, id), planOf(heldDraft, id)] as const;
  const balance = await spendFor(tx, draft, plans);
  const project = await writeProject(tx, sentDraft, plans[0]);
  const control = await writeProject(tx, heldDraft, plans[1]);
  const { experiments } = tx.t;
  const numbers = { projectNo: project.no, controlNo: control.no };
  await tx.q
    .insert(experiments)
    .values({ id, accountId, ...numbers, seed, openArms: 2, createdAt: service, decidedAt: null });
  return { project, balance, experiment: { id, control } };
}

/** How many pages are held out. @throws Refusal holdout_not_possible: too few for a comparison */
export function requireHeld(urls: number, percent: number): number {
  const held = heldCount(urls, percent);
  if (held < SIZES.fewestHeld) throw holdoutNotPossible("too_few", { held, needed: SIZES.fewestHeld });
  return held;
}

function heldName(name: string): string {
  const ending = " (held out)";
  return [...name].slice(0, SIZES.projectName - ending.length).join("") + ending;
}
