/**
 * The days after its sending on which a link is looked up in Google. Pages and documents take the numbers from here; where they
 * stand in a Markdown file, `npm run generate` writes them.
 */
export const CHECK_DAYS = { first: 4, final: 14 } as const;
