/** The services of search engines for owners of sites that people connect, as they call themselves. */
export const SEARCH_SERVICES = {
  search_console: "Search Console",
  bing_webmaster: "Bing Webmaster Tools",
} as const;

export type SearchService = keyof typeof SEARCH_SERVICES;
