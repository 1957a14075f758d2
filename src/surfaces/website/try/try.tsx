import type { TriedPage } from "../../../indexing/preflight/trial.ts";
import { Refusal } from "../../../platform/errors/errors.ts";
import { UnreadableList } from "../../../platform/lists/limits.ts";
import type { List } from "../../../platform/lists/list.ts";
import { readListWithPauses } from "../../../platform/lists/read-list.ts";
import { countOf } from "../../../platform/lists/words.ts";
import { Slices } from "../../../platform/slices.ts";
import { UrlListBuilder } from "../../../platform/urls/urls.ts";
import { TryBox } from "../components/try-box.tsx";
import { TRY_PATH } from "../shell/addresses.ts";
import { keepInBrowser, keepList } from "../shell/kept-list.ts";
import type { FormPost, PageRequest, WebsiteServices } from "../shell/page-request.ts";
import { durationText } from "../shell/retry-later.ts";
import { estimateOf } from "./estimate.ts";
import { findingOf } from "./findings.ts";
import { type Shown, triedPage } from "./tried-page.tsx";

/** `GET /try`: the form of the front page by itself. */
export function tryPage(request: PageRequest): void {
  showForm(request);
}

function showForm(request: PageRequest, typed: { value?: string; problem?: string } = {}): void {
  const body = (
    <>
      <h1>Try it with your pages</h1>
      <TryBox action={TRY_PATH} {...typed} />
    </>
  );
  request.show({ title: "Try it with your pages - Beckon", forms: [], body }, typed.problem === undefined ? 200 : 400);
}

/** `POST /try`: reads the first pages of a list, and says how the whole list can be submitted. */
export async function tryPost(services: WebsiteServices, post: FormPost): Promise<void> {
  const value = post.field("urls");
  const read = await listIn(value);
  if (typeof read === "string") return showForm(post, { value, problem: read });
  const urls = normalForms([...read.urls, ...read.offered.map(({ url }) => url)]);
  const isInBrowser = post.field("kept") === "yes";
  if (isInBrowser) keepInBrowser(services, post);
  const shown: Omit<Shown, "findings" | "problem"> = {
    count: countOf(read),
    estimate: post.field("more") === "yes" ? null : await estimateOf(services, urls),
    // Without a script, it has to fit into a cookie.
    openList:
      isInBrowser || keepList(services, post, { urls: urls.join("\n"), bing: "yes", yandex: "yes" }) ? null : value,
  };
  let tried: readonly TriedPage[] = [];
  try {
    tried = await services.trial.of(urls, post.ip);
  } catch (thrown) {
    const problem = problemOf(thrown);
    post.res.set(problem.headers);
    return post.show(triedPage(services, post, { ...shown, findings: [], problem: problem.text }), problem.status);
  }
  post.show(triedPage(services, post, { ...shown, findings: tried.map(findingOf), problem: null }));
}

/** A list with a URL, or what is wrong with it. */
async function listIn(text: string): Promise<List | string> {
  try {
    const list = await readListWithPauses(text, new Slices());
    if (list.urls.length + list.offered.length > 0) return list;
    const { about, left } = countOf(list);
    if (list.format === "index") return about!;
    return left[0] ? `No line is an address of a page. ${left[0]}` : "Paste at least one URL.";
  } catch (thrown) {
    if (thrown instanceof UnreadableList) return `The list cannot be read: ${thrown.what}.`;
    throw thrown;
  }
}

function normalForms(urls: readonly string[]): readonly string[] {
  const list = new UrlListBuilder();
  for (const url of urls) list.add(url);
  return list.list().accepted;
}

/** @throws anything but a limit */
function problemOf(thrown: unknown) {
  if (!(thrown instanceof Refusal) || thrown.code !== "rate_limited") throw thrown;
  const { status, headers } = thrown;
  const wait = durationText(Number(headers["Retry-After"]));
  return { status, headers, text: `Pages were read 3 times for this network in this hour. Try again in ${wait}.` };
}
