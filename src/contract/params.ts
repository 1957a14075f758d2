import { z } from "zod";
import { isPackId, PACK_IDS } from "../domain/payments/orders/packs.ts";
import { isNotIndexedReason } from "../domain/projects/reasons.ts";
import { SIZES } from "../platform/sizes.ts";
import { codePoints, hasControl, hasVisible, isStorable, parseUrl } from "../platform/text.ts";
import type { ScannedUrls } from "../platform/urls/list-scanner.ts";

/** Input fields that several operations share. Lengths are code points, as in JSON Schema. */

const UNSTORABLE = { error: "must be Unicode text without U+0000 and lone surrogates" };

/** Text of 1 to `max` code points without control characters, which PostgreSQL or a terminal may not take. */
export function line(max: number, text = z.string()) {
  return text
    .min(1)
    .refine((text) => codePoints(text) <= max, { error: `at most ${max} characters` })
    .refine((text) => !hasControl(text), { error: "no control characters" })
    .refine(isStorable, UNSTORABLE)
    .meta({ maxLength: max });
}

const anyUrls = urlArray(SIZES.itemsPerRequest).describe("Absolute; duplicates and invalid ones are dropped");

/** A list of at most `max` URLs, each of a length that can be stored. */
export function urlArray(max: number) {
  return z
    .array(z.string().meta({ maxLength: SIZES.urlLength }))
    .max(max)
    .superRefine((urls, check) => {
      urls.forEach((url, position) => {
        if (url.length <= SIZES.urlLength || codePoints(url) <= SIZES.urlLength) return;
        check.addIssue({
          code: "custom",
          path: [position],
          message: `URL number ${position + 1} has more than ${SIZES.urlLength} characters`,
        });
      });
    });
}

export type UrlItems = readonly string[] | ScannedUrls;

/** A long list is one whose URLs were never made strings (parse-input.ts). */
export const urlList = anyUrls.min(1) as unknown as z.ZodType<UrlItems, string[]>;
export const urlListOrNone = anyUrls.optional() as unknown as z.ZodOptional<z.ZodType<UrlItems, string[]>>;

export const mode = z
  .enum(["standard", "instant"])
  .default("standard")
  .describe("Credits per URL: standard 1, instant 3 (first in line)");

/** The body of a request itself: bytes, packed or not. */
export const bodyText = z
  .any()
  .refine((value) => typeof value === "string" || value instanceof Uint8Array, { error: "text" })
  .meta({ type: "string" }) as unknown as z.ZodType<Uint8Array | string, string>;

/** A name of blanks cannot be seen, and is refused as a mistake. An empty name, as forms and models send it, means no name. */
const nameOrNone = z
  .string()
  .refine((text) => codePoints(text) <= SIZES.projectName, { error: `at most ${SIZES.projectName} characters` })
  .refine((text) => !hasControl(text), { error: "no control characters" })
  .refine(isStorable, UNSTORABLE)
  .refine((text) => text === "" || hasVisible(text), { error: "must not consist of blanks" })
  .optional();

export const projectName = nameOrNone.meta({
  maxLength: SIZES.projectName,
  description: "Default: the domain of the first URL",
});

export const newProjectName = nameOrNone.meta({
  maxLength: SIZES.projectName,
  description: "Empty: the domain of the first URL",
});

/** Text by which projects are found, without the blanks around it. */
const tagText = line(SIZES.tag, z.string().trim()).refine(hasVisible, { error: "must not consist of blanks" });

/** Of a list of projects. Its bounds are not published: a longer text is the tag of none. */
export const tag = z.string().trim().refine(isStorable, UNSTORABLE).optional().describe("With this tag");

export const projectTags = z
  .array(tagText)
  .max(SIZES.tagsPerProject)
  .optional()
  .describe("All of its tags, such as the name of a client");

export const dripDays = z.literal([0, 3, 7, 14, 30]).default(0).describe("Spread sending over days");

export const bing = z.boolean().default(true).describe("Send to Bing too");

export const yandex = z.boolean().default(true).describe("Send to Yandex too");

export const sitemapUrl = line(SIZES.sitemapUrl)
  .refine(isWebAddress, { error: "an absolute http(s) URL, without user name and password" })
  .describe("Sitemap, index, feed, or list of URLs; gzip or not");

function isWebAddress(text: string): boolean {
  const url = /^https?:\/\//i.test(text) ? parseUrl(text) : null;
  return url !== null && url.username === "" && url.password === "" && url.hostname !== "";
}

export const skipAlreadySubmitted = z
  .boolean()
  .default(false)
  .describe("Leave out URLs submitted before that did not fail");

export const skipIndexed = z.boolean().default(false).describe("Do not send what Google has; 1 credit per 10 lookups");

export const holdoutPercent = z
  .number()
  .int()
  .min(SIZES.holdoutPercent.least)
  .max(SIZES.holdoutPercent.most)
  .optional()
  .describe("Percent held out as control");

/** Published as an enum of the packs; any other value is refused as unknown_pack, not as invalid_request. */
export const pack = z.string().refine(isPackId).meta({ enum: PACK_IDS }).describe("get_pricing lists them");

/** An id that an operation has returned. */
export const id = z.string().min(1).max(64).refine(isStorable, UNSTORABLE);

export const webhookId = id.describe("Id of a webhook: wh_…");

export const watchId = id.describe("Id of a watch: wat_…");

/** Path patterns of robots.txt's form. */
export const pathPatterns = z
  .array(line(SIZES.patternLength).refine((text) => /^[/*]/.test(text), { error: "a pattern begins with / or *" }))
  .max(SIZES.patterns)
  .optional();

export const projectId = id.describe("prj_…");

/** Links of the project that a call is about. @param all what it is about without them */
export function linkIds(all: string) {
  const text = `Ids of its links; absent: ${all}`;
  return z.array(id).min(1).max(SIZES.urlsPerSubmission).optional().describe(text);
}

/** Why the links are not indexed that a call is about. */
export function notIndexedReasons() {
  return z
    .array(z.string().refine(isNotIndexedReason, { error: "no reason of get_report for which URLs are not indexed" }))
    .min(1)
    .max(SIZES.reasons)
    .optional()
    .describe("Only for these reasons of get_report");
}

export const offset = z.number().int().min(0).max(SIZES.pageOffset).default(0).describe("Records to skip");

/** Of a list: only what this credential has made. */
export const credentialId = z
  .string()
  .refine((id) => /^[\w-]{1,64}$/.test(id), { error: "the id of a key or connection, person or operator" })
  .optional()
  .describe("Only of this key, app or agent");

/** Text to search for, which stands for itself: it has no wildcards. @param field what must contain it */
export function search(field: string) {
  return z
    .string()
    .refine((text) => codePoints(text) <= SIZES.search, { error: `at most ${SIZES.search} characters` })
    .refine((text) => !hasControl(text), { error: "no control characters" })
    .refine(isStorable, UNSTORABLE)
    .optional()
    .meta({ maxLength: SIZES.search, description: `Part of the ${field}` });
}

/** What `search` looks for; without the blanks around it. */
export const searchText = z
  .string()
  .trim()
  .refine((text) => codePoints(text) >= 2, { error: "at least 2 characters" })
  .refine((text) => codePoints(text) <= SIZES.search, { error: `at most ${SIZES.search} characters` })
  .refine((text) => !hasControl(text), { error: "no control characters" })
  .refine(isStorable, UNSTORABLE)
  .meta({ minLength: 2, maxLength: SIZES.search, description: "Part of a URL, name or host; or an id" });

export function limit(max: number, preset: number) {
  return z.number().int().min(1).max(max).default(preset).describe("Page size");
}
