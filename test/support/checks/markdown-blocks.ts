/** Finds the code blocks of a Markdown text, in order. */
export function blocksIn(markdown: string): { readonly language: string; readonly text: string }[] {
  return [...markdown.matchAll(/^```(\w*)\n([\s\S]*?)\n```$/gm)].map(([, language, text]) => ({
    language: language!,
    text: text!,
  }));
}
