import type { VNode } from "preact";
import checkUrls from "../../../../../tools/check-urls.ts";
import submitSitemap from "../../../../../tools/submit-sitemap.ts";
import submitUrls from "../../../../../tools/submit-urls.ts";
import { isAboveAgreed } from "../../../../contract/spending-refusal.ts";
import type { List } from "../../../../platform/lists/list.ts";
import { countOf } from "../../../../platform/lists/words.ts";
import type { Pack } from "../../../../platform/packs.ts";
import { allows } from "../../../../platform/roles.ts";
import { PATHS } from "../../shell/addresses.ts";
import { callOperation } from "../../shell/call-operation.ts";
import { forgetList, keepList, keptListOf } from "../../shell/kept-list.ts";
import type { ListHandlers, ListPost, SignedInRequest, WebsiteServices } from "../../shell/page-request.ts";
import { creditsPaidBy, fundsOf, wasSent } from "../domain.ts";
import { confirmPage } from "./confirm.tsx";
import { type Count, countList, countSitemap } from "./count.ts";
import {
  type Draft,
  draftIn,
  fieldsOf,
  fileIn,
  holdoutOf,
  inputOf,
  keptDraft,
  listIn,
  newDraft,
  newKey,
  type ReadOrNot,
} from "./draft.ts";
import { formPage, paidNotice } from "./form.tsx";
import { type Problem, problemOf } from "./problems.ts";
import { signedOutPage } from "./signed-out.tsx";

type SignedInListPost = Parameters<ListHandlers["act"]>[0];

/**
 * `GET /dashboard/projects/new`: the form, with the list that the browser keeps. The query parameter `kind` chooses what is
 * done with the URLs; `order` is what has just been paid.
 */
export async function newProjectPage(services: WebsiteServices, request: SignedInRequest): Promise<void> {
  const kind = request.query("kind");
  const draft = kind === "" ? keptDraft(keptListOf(services, request)) : null;
  const order = request.query("order");
  const credits = order === "" ? null : await creditsPaidBy(services, request, order);
  const message = credits === null ? null : paidNotice(order, credits);
  await showForm(services, request, draft ?? newDraft(kind), null, message);
}

/** `POST /dashboard/projects/new` */
export function newProjectPost(services: WebsiteServices): ListHandlers {
  return {
    act: (post) => act(services, post),
    restore: async (post) => showForm(services, post, { ...(await draftIn(post)), key: newKey() }, RESTORED),
    keep: async (post: ListPost) => post.show(signedOutPage(post, await draftIn(post)), 401),
  };
}

/** Submits what its user has agreed to, for no more than that, and shows what the service counts before that. */
async function act(services: WebsiteServices, post: SignedInListPost): Promise<void> {
  const file = await fileIn(post);
  const draft = await draftIn(post, file);
  const typed = await listIn(draft);
  const problem = problemOfDraft(post, draft, typed, file);
  if (problem || post.field("change") === "yes") return showForm(services, post, draft, problem);
  try {
    if (draft.source === "sitemap" && (await isSubmittedAsAgreed(services, post, draft))) return;
    const { list } = typed as { list: List };
    const nothing = draft.source === "list" ? nothingListed(list) : null;
    if (nothing) return await showForm(services, post, draft, nothing);
    const read = file && "list" in file ? { name: post.file!.name, count: countOf(file.list) } : null;
    const count = await (draft.source === "sitemap"
      ? countSitemap(services, post, draft)
      : countList(services, post, draft, list, read));
    if (count.urls === 0) return await showForm(services, post, draft, nothingInSitemap(count));
    const isDecided = isAgreed(post, count) || (await isRepeat(services, post, draft));
    if (draft.source === "list" && isDecided) return await submit(services, post, draft, list.urls);
    showCount(services, post, draft, count);
  } catch (thrown) {
    await showRefusal(services, post, draft, problemOf(thrown));
  }
}

/** Shows what was counted, and keeps the list where credits have to be bought first. */
function showCount(services: WebsiteServices, post: SignedInListPost, draft: Draft, count: Count): void {
  const isShort = count.credits > count.balance;
  const isKept = isShort && (isInBrowser(post) || keepList(services, post, fieldsOf(draft)));
  const shop = { packs: packsFor(services, post), payAt: services.payments.cards?.origin ?? undefined };
  post.show(confirmPage(post, draft, count, { agreed: agreedIn(post), ...shop, isKept }));
}

/** Whether the script of the form keeps what was typed. */
function isInBrowser(post: ListPost): boolean {
  return post.field("kept") === "yes";
}

/**
 * Submits a sitemap whose price its user has seen. It is read again for that.
 * @returns false, and nothing was spent: nothing was agreed to, or it costs more by now
 */
async function isSubmittedAsAgreed(services: WebsiteServices, post: SignedInListPost, draft: Draft): Promise<boolean> {
  if (agreedIn(post) === null) return false;
  try {
    await submit(services, post, draft, []);
    return true;
  } catch (thrown) {
    if (isAboveAgreed(thrown)) return false;
    throw thrown;
  }
}

/** The price on the button that was pressed; null: on no button. */
function agreedIn(post: ListPost): number | null {
  const agreed = post.field("agreed");
  return /^\d{1,9}$/.test(agreed) ? Number(agreed) : null;
}

/** Whether the price that its user has seen, and how many URLs would be paid again, is what the service counts. */
function isAgreed(post: ListPost, { credits, submitted }: Count): boolean {
  return agreedIn(post) === credits && Number(post.field("seen")) === submitted;
}

/**
 * Whether this form was sent before, as by the second of two clicks, which shows what the first has done. Its count says that
 * all of it was submitted before. It is looked up after the count: whoever counts the project finds its key.
 */
async function isRepeat(services: WebsiteServices, post: SignedInListPost, draft: Draft): Promise<boolean> {
  if (agreedIn(post) === null) return false;
  return wasSent(services, post, { operation: operationOf(draft).name, key: draft.key });
}

function operationOf({ kind, source }: Draft) {
  if (kind === "check") return checkUrls;
  return source === "list" ? submitUrls : submitSitemap;
}

async function submit(
  services: WebsiteServices,
  post: SignedInListPost,
  draft: Draft,
  urls: readonly string[],
): Promise<void> {
  const input = inputOf(draft, urls, post.now);
  const sent = { idempotencyKey: draft.key, agreed: { credits: agreedIn(post) ?? 0 } };
  const { project } = await callOperation(services, post, operationOf(draft), input, sent);
  if (project) {
    forgetList(services, post);
    return post.redirect(`${PATHS.projects}/${project.id}`);
  }
  // Its last pages were submitted between the count and this form.
  await showForm(services, post, { ...draft, key: newKey() }, said("sitemap_url", NOTHING_NEW));
}

function problemOfDraft(post: ListPost, draft: Draft, typed: ReadOrNot, file: ReadOrNot | null): Problem | null {
  const { source, kind } = draft;
  if (draft.skip_indexed && holdoutOf(draft).holdout_percent) return said("holdout_percent", SKIPS_AND_HOLDS);
  if (source === "sitemap")
    return kind === "check"
      ? said("kind", "A check takes a list. Paste the URLs, or choose the file of the sitemap.")
      : null;
  if (file && "problem" in file) return said("urls", `${post.file!.name} cannot be read: ${file.problem}.`);
  if (file?.list.format === "index")
    return said("urls", `${post.file!.name} cannot be taken. ${countOf(file.list).about}`);
  return "problem" in typed ? said("urls", `The list cannot be read: ${typed.problem}.`) : null;
}

const SKIPS_AND_HOLDS =
  "Pages cannot be held out while URLs that Google has already are left out: the two groups would differ. Choose one of both.";

const NOTHING_NEW = "Nothing to submit. You have submitted all of its URLs before.";

function nothingInSitemap({ submitted }: Count): Problem {
  return said("sitemap_url", submitted > 0 ? NOTHING_NEW : "Nothing to submit. It lists no valid URL.");
}

/** The problem of a list without a URL; null: it has one. */
function nothingListed(list: List): Problem | null {
  if (list.urls.length > 0) return null;
  const { about, left, offer, offered } = countOf(list);
  if (list.format === "index") return said("urls", about!);
  if (offered > 0) return { ...said("urls", `No line is a whole URL. ${offer}`), offered };
  if (left.length === 0) return said("urls", "Paste at least one URL, or choose a file.");
  return said("urls", `No line is a whole URL, which begins with http:// or https://. ${left[0]}`);
}

function said(field: Problem["field"], text: string, status = 400): Problem {
  return { field, text, status, offered: 0, needsCredits: false, headers: {} };
}

const RESTORED = said(
  null,
  "Nothing was submitted yet: you signed in or out since this form was opened. What you typed is still here. Check it, and send it again.",
  403,
);

async function showRefusal(
  services: WebsiteServices,
  post: SignedInListPost,
  draft: Draft,
  problem: Problem,
): Promise<void> {
  post.res.set(problem.headers);
  if (problem.status !== 422) return showForm(services, post, draft, problem);
  // The key belongs to a project with other URLs, which the user went back from.
  const text =
    "This form has created a project already, which you find under Projects. Send it again to create another one.";
  await showForm(services, post, { ...draft, key: newKey() }, { ...problem, field: null, text });
}

async function showForm(
  services: WebsiteServices,
  request: SignedInRequest,
  draft: Draft,
  problem: Problem | null = null,
  message: VNode | null = null,
): Promise<void> {
  const funds = await fundsOf(services, request);
  const shop = { packs: packsFor(services, request), payAt: services.payments.cards?.origin ?? undefined };
  request.show(formPage(request, { draft, problem, message, ...funds, ...shop }), problem?.status);
}

/** What the signed-in person may buy here; nothing where nothing is sold. */
function packsFor({ config, payments }: WebsiteServices, { session }: SignedInRequest): readonly Pack[] {
  return config.isSelling && payments.cards && allows(session.role, "purchase") ? config.packs : [];
}
