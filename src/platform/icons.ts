/** The paths of the service's icon, by format. */
export const ICON_PATHS = { svg: "/icon.svg", png: "/icon.png", ico: "/favicon.ico" } as const;

/** An icon as MCP describes it (2025-11-25, `Icon`). */
export interface Icon {
  readonly src: string;
  readonly mimeType: string;
  readonly sizes: string[];
}

/** The icon for clients that list servers and agents: sharp in every size, and as pixels for those that show no SVG. */
export function iconsOf(siteUrl: string): Icon[] {
  return [
    { src: `${siteUrl}${ICON_PATHS.svg}`, mimeType: "image/svg+xml", sizes: ["any"] },
    { src: `${siteUrl}${ICON_PATHS.png}`, mimeType: "image/png", sizes: ["192x192"] },
  ];
}
