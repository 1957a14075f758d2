import { cut, hasVisible } from "../../../platform/text.ts";
import type { Mail } from "../mailer.ts";
import { type LetterPart, mailOf } from "./letter.ts";
import { NOTICE_KINDS, type NoticeKind } from "./notice-kinds.ts";

/** What every notice needs. */
export interface Addressed {
  readonly to: string;
  readonly siteUrl: string;
}

/** A notice that can be switched off, by its own address. */
export interface Unsubscribable extends Addressed {
  readonly unsubscribe: string;
}

/** Where the settings of notices are. */
export const NOTICES_PATH = "/dashboard/notices";

/** A mail of a kind that its reader may switch off. */
export function switchable(
  { to, siteUrl, unsubscribe }: Unsubscribable,
  kind: NoticeKind,
  subject: string,
  parts: readonly LetterPart[],
): Mail {
  const footer = `You get this because notices about “${NOTICE_KINDS[kind].label}” are on for your Beckon account.`;
  return mailOf({ to, subject, parts, footer, unsubscribe, settings: `${siteUrl}${NOTICES_PATH}` });
}

/** A name as far as it fits a line; anybody who may submit URLs, or registers an app, chooses it. */
export function lineOf(name: string): string {
  const line = name.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").trim();
  if (!hasVisible(line)) return "Without a name";
  return line.length > 60 ? `${cut(line, 59)}…` : line;
}
