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

/** A grammar is compiled by the first code of its language, which takes 50 to 200 ms for some. */
async function createHighlight(): Promise<Highlight> {
  const { createHighlighterCoreSync, createCssVariablesTheme } = await import("@shikijs/core");
  const { createJavaScriptRegexEngine } = await import("@shikijs/engine-javascript");
  const grammars = await Promise.all([
    import("@shikijs/langs/shellscript"),
    import("@shikijs/langs/javascript"),
    import("@shikijs/langs/python"),
    import("@shikijs/langs/json"),
    import("@shikijs/langs/ini"),
  ]);
  const highlighter = createHighlighterCoreSync({
    langs: grammars.map((grammar) => grammar.default),
    themes: [createCssVariablesTheme({ name: THEME, fontStyle: false })],
    engine: createJavaScriptRegexEngine(),
  });
  return (code, language) => {
    if (!isKnown(language)) return escaped(code);
    const lines = highlighter.codeToTokensBase(code, { lang: language, theme: THEME });
    return lines.map((line) => joined(line.map(toToken)).map(toHtml).join("")).join("\n");
  };
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
