/** The only style sheet; it stands in every page, so that a page is one request. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#1c2024;--soft:#5b636b;--paper:#fff;--tint:#f3f4f6;--line:#d9dde1;--link:#0b57d0}
@media (prefers-color-scheme:dark){:root{--ink:#e6e8ea;--soft:#a0a8b0;--paper:#14171a;--tint:#1f2428;--line:#353c43;--link:#8ab4f8}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:46rem;padding:0 1rem 3rem;font:1rem/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
header{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;align-items:baseline;padding:1rem 0;border-bottom:1px solid var(--line)}
nav{display:flex;flex-wrap:wrap;gap:.25rem 1rem}
a{color:var(--link)}
header a{text-decoration:none;padding:.25rem 0}
h1{font-size:1.6rem;line-height:1.25;margin:1.75rem 0 .75rem}
h2{font-size:1.15rem;margin:1.75rem 0 .5rem}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,monospace;font-size:.9em;background:var(--tint);border-radius:4px}
code{padding:.1em .3em;overflow-wrap:anywhere}
pre{padding:.75rem 1rem;white-space:pre-wrap}
pre code{padding:0;background:none}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.45rem .75rem .45rem 0;border-bottom:1px solid var(--line);vertical-align:top}
.soft{color:var(--soft)}
`;
