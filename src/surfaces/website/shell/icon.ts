/** The icon of the service. `npm run screenshots -- --published` renders it as pixels (scripts/website-icons.ts). */
export const ICON_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b57d0"/><circle cx="16" cy="21" r="4" fill="#fff"/><path d="M9.5 16a8.5 8.5 0 0 1 13 0M5.5 11.5a14 14 0 0 1 21 0" fill="none" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/></svg>
`;
