import { Refusal } from "../../platform/errors/errors.ts";
import { SIZES } from "../../platform/sizes.ts";
import { ScannedUrls } from "../../platform/urls/list-scanner.ts";
import { type PackedUrls, packUrls } from "../../platform/urls/packed-urls.ts";
import { parseUrlList, type UrlList } from "../../platform/urls/urls.ts";

/** Normalises the URLs of a submission, without duplicates and invalid ones. @throws Refusal no_valid_urls, too_many_urls */
export function acceptUrls(items: readonly string[] | ScannedUrls): UrlList<PackedUrls> {
  const list = countUrls(items);
  if (list.accepted.length === 0) {
    throw new Refusal("no_valid_urls", "None of the entries is an absolute http(s) URL. Nothing was spent.", {
      invalid: list.invalid,
      invalid_examples: list.invalidExamples,
    });
  }
  if (list.accepted.length > SIZES.urlsPerSubmission) throw tooMany(list.accepted.length);
  return list;
}

/** What a list of URLs comes to. */
export function countUrls(items: readonly string[] | ScannedUrls): UrlList<PackedUrls> {
  if (items instanceof ScannedUrls) return items.list;
  const list = parseUrlList(items);
  return { ...list, accepted: packUrls(list.accepted) };
}

export function tooMany(count: number): Refusal {
  return new Refusal(
    "too_many_urls",
    `${count} URLs remain after dropping duplicates and invalid entries; a project takes ${SIZES.urlsPerSubmission}. Split the list; nothing was spent.`,
    { urls: count, max: SIZES.urlsPerSubmission },
  );
}
