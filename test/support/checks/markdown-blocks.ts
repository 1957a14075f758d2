/** Blocks of code in a Markdown text, in their order. */
export function blocksIn(markdown: string): { readonly language: string; readonly text: string }[] {
  return [...markdown.matchAll(/^```(\w*)\n([\s\S]*?)\n```$/gm)].map(([, language, text]) => ({
    language: language!,
    text: text!,
  }));
}
