/** The only style sheet. Every page contains it, so that loading a page takes one request. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#1c2024;--soft:#5b636b;--paper:#fff;--tint:#f3f4f6;--line:#d9dde1;--link:#0b57d0;--act:#0b57d0;--on-act:#fff;--bad:#b3261e;--good:#146c2e}
@media (prefers-color-scheme:dark){:root{--ink:#e6e8ea;--soft:#a0a8b0;--paper:#14171a;--tint:#1f2428;--line:#353c43;--link:#8ab4f8;--act:#8ab4f8;--on-act:#0b1a33;--bad:#f2b8b5;--good:#8fd6a3}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:46rem;overflow-wrap:break-word;padding:0 1rem 3rem;font:1rem/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
header{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;align-items:baseline;padding:1rem 0;border-bottom:1px solid var(--line)}
nav{display:flex;flex-wrap:wrap;gap:.25rem 1rem}
a{color:var(--link)}
header a{text-decoration:none;padding:.25rem 0}
.in{margin-left:auto}
@media (max-width:36rem){header nav{order:1;width:100%}}
h1{font-size:1.6rem;line-height:1.25;margin:1.75rem 0 .75rem}
h2{font-size:1.15rem;margin:1.75rem 0 .5rem}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,monospace;font-size:.9em;background:var(--tint);border-radius:4px}
code{padding:.1em .3em;overflow-wrap:anywhere}
pre{padding:.75rem 1rem;white-space:pre-wrap}
pre code{padding:0;background:none}
.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.45rem .75rem .45rem 0;border-bottom:1px solid var(--line);vertical-align:top}
th:empty{padding:0;border:0}
td code{overflow-wrap:break-word}
td:first-child code{display:inline-block;width:max-content;max-width:min(47vw,23rem);overflow-wrap:anywhere;line-height:1.4;vertical-align:top}
.notice>p{margin:.25rem 0}
.docs .wide td:last-child{min-width:6.4rem}
.wide[tabindex] td{vertical-align:baseline}
@media (max-width:36rem){.wide[tabindex] :is(th,td){padding-right:.5rem}.docs .wide table{font-size:.9rem}
.docs td:last-child code{overflow-wrap:anywhere}
.docs table:has(th:nth-child(3)) thead,.docs td:empty{display:none}
.docs table:has(th:nth-child(3)) tr{display:block;padding:.45rem 0;border-bottom:1px solid var(--line)}
.docs table:has(th:nth-child(3)) td{display:inline;padding:0;border:0}
.docs table:has(th:nth-child(3)) td:last-child{display:block}
.docs table:has(th:nth-child(3)) td code{max-width:100%}
.docs table:has(th:nth-child(3)) td:nth-last-child(n+3)::after{content:" \\b7  ";color:var(--soft)}}
img{display:block;max-width:100%;height:auto;margin:1.5rem 0}
footer{margin-top:2.5rem;padding-top:.75rem;border-top:1px solid var(--line);font-size:.9rem}
p>strong>a:first-child,td>strong>a:first-child{display:inline-block;border:1px solid var(--act);border-radius:6px;padding:.45rem .9rem;text-decoration:none}
td>strong>a:first-child{padding:.2rem .6rem;white-space:nowrap}
p>strong:first-child>a:first-child{background:var(--act);color:var(--on-act)}
main h3{margin:1.25rem 0 .5rem}
.docs{max-width:68rem}
.contents{display:block;font-size:.95rem}
.contents h2{font-size:.9rem;margin:1.25rem 0 .25rem;color:var(--soft)}
.contents ul{list-style:none;margin:0;padding:0}
.contents a{display:block;padding:.2rem 0;text-decoration:none}
.contents a[aria-current]{color:var(--ink);font-weight:600}
.to-contents{display:block;margin-top:.75rem}
@media (min-width:52rem){
.docs{display:grid;grid-template-columns:13rem minmax(0,46rem);column-gap:3rem;align-items:start}
.docs header,.docs footer{grid-column:1/-1}
.docs main{grid-column:2;grid-row:2}
.docs .contents{grid-column:1;grid-row:2}
.to-contents{display:none}
}
.soft{color:var(--soft)}
form{margin:1.25rem 0}
label,legend{display:block;font-weight:600;padding:0}
fieldset{border:0;margin:1rem 0;padding:0}
.field{margin:1rem 0;max-width:26rem}
.field input{display:block;width:100%;margin-top:.25rem;padding:.6rem .7rem;font:inherit;color:var(--ink);background:var(--paper);border:1px solid var(--soft);border-radius:6px}
.field input.code{font:1.5rem ui-monospace,SFMono-Regular,Menlo,monospace;letter-spacing:.25em;text-transform:uppercase}
.field input[aria-invalid]{border-color:var(--bad)}
.field input[readonly]{color:var(--soft);background:var(--tint);border-color:var(--line)}
.problem{display:block;margin-top:.25rem;font-size:.9rem;color:var(--bad)}
.hint{display:block;margin-top:.25rem;font-weight:400;font-size:.9rem;color:var(--soft)}
.tick{display:flex;gap:.6rem;align-items:baseline;margin:.6rem 0;font-weight:400}
.tick.costly{border:1px solid var(--line);border-left:4px solid var(--bad);border-radius:6px;background:var(--tint);padding:.5rem .8rem}
.tick+button{margin-top:.5rem}
.tick input{flex:none;width:1.1rem;height:1.1rem;accent-color:var(--act);transform:translateY(.15rem)}
button{font:inherit;font-weight:600;padding:.55rem 1.1rem;border-radius:6px;border:1px solid var(--act);color:var(--on-act);background:var(--act);cursor:pointer}
button.quiet{color:var(--act);background:none}
button.bad{color:var(--bad);border-color:var(--bad);background:none}
button.small{padding:.25rem .7rem;font-size:.9rem}
td form{margin:0}
.row{display:flex;flex-wrap:wrap;gap:.75rem;align-items:center}
.notice{border:1px solid var(--line);border-left:4px solid var(--act);background:var(--tint);border-radius:6px;padding:.65rem .9rem;margin:1rem 0}
.notice.bad{border-left-color:var(--bad)}
.notice.good{border-left-color:var(--good)}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(10rem,1fr));gap:.75rem;margin:1rem 0}
.card{border:1px solid var(--line);border-radius:8px;padding:.75rem 1rem}
.card strong{display:block;font-size:1.5rem;line-height:1.3}
.packs .card{display:flex;flex-direction:column;gap:.5rem}
.packs h2{margin:0}
.packs .mark{align-self:flex-start;margin:0}
.packs form,.packs .act{margin:auto 0 0}
.packs button{width:100%;padding-inline:.25rem}
.act{border:1px solid var(--act);border-radius:6px;padding:.55rem .25rem;font-weight:600;text-align:center;text-decoration:none}
.card.chosen{border-color:var(--act);box-shadow:0 0 0 1px var(--act)}
.play{margin:1.25rem 0;padding:.9rem 1.1rem;border-radius:8px;color:var(--paper);background:var(--bad)}
.play strong{display:block;font-size:1.35rem;line-height:1.3}
.tabs{padding:.6rem 0;border-bottom:1px solid var(--line)}
.tabs a{text-decoration:none;padding:.25rem 0}
.tabs a[aria-current]{color:var(--ink);font-weight:600;box-shadow:0 2px 0 var(--act)}
.who{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;justify-content:space-between;padding:.6rem 0;font-size:.9rem;color:var(--soft);overflow-wrap:anywhere}
.who form{margin:0}
h3{font-size:1rem;margin:0;overflow-wrap:anywhere}
.items{list-style:none;margin:1rem 0;padding:0}
.items li{border:1px solid var(--line);border-radius:8px;padding:.75rem 1rem;margin:.75rem 0}
.mark{border:1px solid var(--good);color:var(--good);border-radius:99px;padding:.05rem .5rem;margin-left:.4rem;font-size:.8rem;font-weight:400;white-space:nowrap}
.mark.test{margin-left:0;border-color:var(--bad);color:var(--bad)}
details{margin:.5rem 0 0}
summary{cursor:pointer;color:var(--bad);width:fit-content;padding:.25rem 0}
details form{margin:.5rem 0}
button{max-width:100%;overflow-wrap:anywhere}
progress{width:100%;min-width:6rem;accent-color:var(--act)}
.share{display:flex;gap:.75rem;align-items:center}
.share .number{flex:0 0 3.5rem}
.hash{white-space:nowrap}
.number{font-variant-numeric:tabular-nums}
.url{min-width:15rem;overflow-wrap:anywhere}
.name{min-width:10rem;overflow-wrap:anywhere}
.facts{display:grid;grid-template-columns:max-content 1fr;gap:.3rem 1.25rem;margin:1rem 0}
.facts dt{color:var(--soft)}
.facts dd{margin:0;overflow-wrap:anywhere}
.filters{margin:.75rem 0}
.filters a[aria-current]{color:var(--ink);font-weight:600}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
`;
