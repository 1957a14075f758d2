import { setImmediate as nextTurn } from "node:timers/promises";
import type { Language } from "../../docs/index.ts";

/**
 * Code as HTML, with the kinds of its tokens as classes: `<span class="hl-string">`. The style sheet colours them, since the
 * policy of our pages allows no style attributes. A language that is not known is only escaped.
 */
export type Highlight = (code: string, language: string) => string;

/** Loaded by the first page that has code: a service that shows none starts without the grammars. */
export function loadHighlight(): Promise<Highlight> {
  loading ??= createHighlight();
  return loading;
}

let loading: Promise<Highlight> | undefined;

/**
 * The first code of a language would compile its grammar, which holds the event loop for long. So the patterns of all
 * grammars, which the engine keeps, are compiled before, a few in each turn, between other requests.
 */
export async function createHighlight(): Promise<Highlight> {
  const { createHighlighterCoreSync, createCssVariablesTheme } = await import("@shikijs/core");
  const { createJavaScriptRegexEngine } = await import("@shikijs/engine-javascript");
  const grammars = await Promise.all([
    import("@shikijs/langs/shellscript"),
    import("@shikijs/langs/javascript"),
    import("@shikijs/langs/python"),
    import("@shikijs/langs/json"),
    import("@shikijs/langs/ini"),
  ]);
  const engine = createJavaScriptRegexEngine();
  const langs = grammars.map((grammar) => grammar.default);
  const patterns = [...patternsIn(langs)];
  for (let at = 0; at < patterns.length; at += PATTERNS_IN_A_TURN) {
    engine.createScanner(patterns.slice(at, at + PATTERNS_IN_A_TURN));
    await nextTurn();
  }
  const themes = [createCssVariablesTheme({ name: THEME, fontStyle: false })];
  const highlighter = createHighlighterCoreSync({ langs, themes, engine });
  const highlight: Highlight = (code, language) => {
    if (!isKnown(language)) return escaped(code);
    const lines = highlighter.codeToTokensBase(code, { lang: language, theme: THEME });
    return lines.map((line) => joined(line.map(toToken)).map(toHtml).join("")).join("\n");
  };
  for (const language of LANGUAGES) {
    highlight("a", language);
    await nextTurn();
  }
  return highlight;
}

const PATTERNS_IN_A_TURN = 4;

/** The regular expressions of TextMate grammars (macromates.com/en/manual/language_grammars). */
function patternsIn(grammar: object, found = new Set<string>()): Set<string> {
  for (const [name, value] of Object.entries(grammar)) {
    if (typeof value === "object" && value !== null) patternsIn(value, found);
    else if (["match", "begin", "end", "while"].includes(name)) found.add(String(value));
  }
  return found;
}

const THEME = "tokens";

const LANGUAGES: readonly Language[] = ["sh", "js", "python", "json", "ini"];

function isKnown(language: string): language is Language {
  return (LANGUAGES as readonly string[]).includes(language);
}

interface Token {
  readonly text: string;
  /** `keyword`, `string`, …; "" for text without a colour of its own. */
  readonly kind: string;
}

/** The theme names a colour as `var(--shiki-token-string-expression)`. */
function toToken({ content, color = "" }: { content: string; color?: string }): Token {
  const [, kind = ""] = /^var\(--shiki-token-(\w+)/.exec(color) ?? [];
  return { text: content, kind: kind === "punctuation" ? "" : kind };
}

function joined(tokens: readonly Token[]): Token[] {
  const result: Token[] = [];
  for (const token of tokens) {
    const last = result.at(-1);
    if (last?.kind === token.kind) result[result.length - 1] = { ...last, text: last.text + token.text };
    else result.push(token);
  }
  return result;
}

function toHtml({ text, kind }: Token): string {
  return kind === "" ? escaped(text) : `<span class="hl-${kind}">${escaped(text)}</span>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
