import MiniSearch from "minisearch";

/** A tool as its list describes it. */
export interface DescribedTool {
  readonly name: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly inputSchema: object;
}

/**
 * Chooses tools by the words of their descriptions alone (BM25+), as somebody who knows nothing of the product would. No model chooses,
 * so that the choice is the same each time.
 * @returns for a task, names of tools with their scores, the best first
 */
export function toolChoice(tools: readonly DescribedTool[]): (task: string) => { name: string; score: number }[] {
  const index = new MiniSearch({
    idField: "name",
    fields: ["words", "title", "description", "inputs"],
    processTerm: (term) => formsOf(term.toLowerCase()),
    searchOptions: { boost: { inputs: 0.3 } },
  });
  index.addAll(
    tools.map(({ name, title, description, inputSchema }) => ({
      ...{ name, title, description },
      words: name.replaceAll("_", " "),
      inputs: wordsOf(inputSchema),
    })),
  );
  // Of an address its path says something, of an id its prefix.
  const withoutValues = (task: string) => task.replace(/https?:\/\/[^/\s]+|\b[\w-]+\.com\b|_\d+\b/g, " ");
  return (task) => index.search(withoutValues(task)).map(({ id, score }) => ({ name: id, score }));
}

function wordsOf(schema: {
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
}): string {
  const fields = Object.entries(schema.properties ?? {});
  return fields.map(([name, { description = "" }]) => `${name.replaceAll("_", " ")} ${description}`).join(" ");
}

/** A word as it stands, and in the form that it shares with others. */
function formsOf(word: string): string[] | null {
  return EMPTY.has(word) ? null : [...new Set([word, stem(word)])];
}

/** One form for `checks`, `checked` and `checking`. */
function stem(word: string): string {
  return word.length > 4 ? word.replace(/(?:ies|ied)$/, "y").replace(/(?:ions?|ing|ed|es|s)$/, "") : word;
}

/** Words that say nothing of what is wanted. */
const EMPTY = new Set(
  "a an and are as at be been before but by can do does for from had has have here how i if in is it its let like me my not of on one only or our please so that the their them there these they this those to us was we were what when where which who why with without yet you your".split(
    " ",
  ),
);
