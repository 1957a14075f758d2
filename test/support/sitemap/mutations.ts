import fc from "fast-check";

/** Sitemaps of common and of odd shapes, well-formed and not, and what can happen to them on the way. */

const NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9";
const split = (list: string) => list.trim().split(/\n\s*/);
const some = (list: string, more: readonly string[] = []) => fc.constantFrom(...split(list), ...more);
const joined = (part: fc.Arbitrary<string>, maxLength: number, minLength = 0) =>
  fc.array(part, { minLength, maxLength }).map((parts) => parts.join(""));

const space = fc.constantFrom("", "", "\n", "\n    ", " ", "\t", "\r\n  ", "\r");
const white = fc.oneof(
  { weight: 200, arbitrary: space },
  { weight: 1, arbitrary: fc.constantFrom("\u00a0", "\f", " ".repeat(300)) },
);

/** Two in three are plain, so that most documents have entries of the common shape. */
const content = joined(
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("https://example.com/", "a", "page-1.html", "?x=1", "/", "b c") },
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        ..."&amp;,&lt;,&#38;,&#x41;,],]],>,',\",ü,€,😀,%C3%A4, ,\n,\t,\r\n,\r".split(","),
        ..."\u00a0,\ufeff,\u0080,\u0085,\u2028,\u007f,\ufffd".split(","),
        ..."<![CDATA[a&b<c>]]>|<![CDATA[]]>|<![CDATA[a]b]]c]]]>|<!-- c -->|<?p i?>|<i>x</i>|<i/>".split("|"),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom("&", "&nbsp;", "&;", "&#0;", "]]>", "<", "\u0001", "\ufffe", "<!--", "--"),
    },
  ),
  5,
);
const plain = fc.constantFrom(
  "https://example.com/",
  "https://example.com/a?b=1&amp;c=2",
  "/ü",
  "",
  " x ",
  "\n  y\n",
  "/a\u2028b",
  " ".repeat(1_100),
);
const loc = fc
  .tuple(
    fc.oneof({ weight: 12, arbitrary: fc.constant("loc") }, some("loc xmlns=''\nloc a=\"b\"\ns:loc\nloc \nLOC\nf:loc")),
    fc.oneof({ weight: 3, arbitrary: plain }, { weight: 1, arbitrary: content }),
  )
  .map(([name, text]) => `<${name}>${text}</${name.replace(/(?<=\w)\s.+$/s, "")}>`);

const usual = some(`
  <lastmod>2026-01-01</lastmod>
  <changefreq>daily</changefreq>
  <priority>0.5</priority>
  <xhtml:link rel="alternate" hreflang="de" href="https://example.com/de?a=1&amp;b=2"/>
  <xhtml:link rel="alternate" hreflang="de" href="/de" />
  <image:image><image:loc>/i.png</image:loc><image:title><![CDATA[this & that]]></image:title></image:image>
  <image:image> <image:loc>/i.png</image:loc> </image:image>
  <lastmod>${"long ".repeat(60)}</lastmod>
  <n:news>mixed <n:loc>/n</n:loc> content</n:news>
`);
const odd = some(
  `
  <priority/>
  <priority />
  <loc/>
  <loc>/second</loc>
  <loc >/second</loc >
  <loc xmlns="urn:foreign">/no</loc>
  <s:loc>/by-prefix</s:loc>
  <f:loc>/foreign</f:loc>
  <:loc>/colon</:loc>
  <s:loc:x>/colons</s:loc:x>
  <undeclared:loc>/no</undeclared:loc>
  <locx>/no</locx>
  <loc.x>/no</loc.x>
  <loc a="b" c="d"/>
  <s:loc a="b"/>
  <x><loc>/deep</loc></x>
  <x xmlns="urn:foreign"><loc>/deep</loc></x>
  <x xmlns="${NAMESPACE}"/>
  <x><y><z>/deeper</z></y></x>
  <url><loc>/nested</loc></url>
  <x a="1" a="2"/>
  <x a="1" b="2" a="3"/>
  <x a="1" b="2" b="3"/>
  <x a="1" b="2" c="3" d="4"/>
  <x a='1' b="'"/>
  <x a="1"b="2"/>
  <x a="<"/>
  <x a="&amp;&lt;>"/>
  <x a="&"/>
  <x a = "1"/>
  <x a="</url>"/>
  <x a="&lt;/url>"/>
  <x/ >
  <x></y>
  <x>
  <a_name_that_is_over_twenty_long>x</a_name_that_is_over_twenty_long>
  <!-- </url> -->
  <!-- -- -->
  <![CDATA[</url>]]>
  <?p </url>?>
  stray text
  &amp;
  ]]>
  </url>
  </urlset>
`,
  [
    "<x\n  a='1'\n  b='2'\n/>",
    '<x\n  a="1"\n  b="\n"\n/>',
    "\u0001",
    "<x\u0001/>",
    "<x>\r</x>",
    "<x>\u0085</x>",
    '<x\u00a0a="1"/>',
    "<x\u00a0></x>",
  ],
);
const child = fc.oneof({ weight: 16, arbitrary: usual }, { weight: 1, arbitrary: odd });
const children = joined(
  fc.tuple(white, child).map((parts) => parts.join("")),
  4,
);

const isCommonly = (text: string, rest: string) =>
  fc.oneof({ weight: 15, arbitrary: fc.constant(text) }, { weight: 1, arbitrary: some(rest) });
const entry = fc
  .tuple(
    isCommonly("<url>", "<url >\n<url a='b'>\n<s:url>\n<f:url>\n<urls>"),
    fc.oneof({ weight: 5, arbitrary: fc.constant("") }, { weight: 1, arbitrary: children }),
    white,
    loc,
    children,
    white,
    isCommonly("</url>", "</url >\n</s:url>\n</f:url>\n</urls>\n</ url>"),
  )
  .map((parts) => parts.join(""));
const between = fc.oneof(
  { weight: 12, arbitrary: white },
  {
    weight: 1,
    arbitrary: some("text\n<!-- c -->\n<!-- <url> -->\n<?p?>\n<loc>/no</loc>\n<sitemap><loc>/no</loc></sitemap>\n<x/>"),
  },
);
const prefixes = `xmlns:s="${NAMESPACE}" xmlns:f="urn:foreign"`;
const root = isCommonly(
  `<urlset xmlns="${NAMESPACE}" ${prefixes}>`,
  `<urlset>
  <urlset ${prefixes}>
  <urlset xmlns="urn:foreign" ${prefixes}>
  <urlset xmlns="https://sitemaps.org/schemas/sitemap/0.9" a="b" a2='c'>
  <s:urlset ${prefixes}>
  <s:urlset ${prefixes} xmlns="urn:foreign">
  <s:urlset ${prefixes} xmlns="${NAMESPACE}">
  <sitemapindex>
  <html>`,
);
const beginning = fc.constantFrom(
  ...["", "", '<?xml version="1.0"?>\n', '<?xml version="1.0" encoding="UTF-8"?>', '<?xml version="1.1"?>'],
  ...["\ufeff", "\n ", "<!-- c -->", "<?p?>", "<!DOCTYPE urlset>"],
);
const ending = isCommonly(
  "</urlset>",
  "</urlset><!-- c -->\n</urlset>x\n</urlset><urlset/>\n</urlset></urlset>\n</sitemapindex>\n</s:urlset>\n</urlset><![CDATA[]]>",
);

/** A document nothing has happened to: some are broken all the same. */
const document = fc
  .tuple(
    beginning,
    root,
    joined(
      fc.tuple(between, entry).map((parts) => parts.join("")),
      8,
      1,
    ),
    between,
    ending,
  )
  .map(([first, start, ...rest]) => {
    const prefix = /^<(\w+:)/.exec(start)?.[1];
    const text = [first, start, ...rest].join("");
    return prefix && text.endsWith("</urlset>") ? `${text.slice(0, -"urlset>".length)}${prefix}urlset>` : text;
  });

/** A document that every parser understands in the same way. */
export const common = fc
  .array(fc.tuple(space, plain, fc.array(usual, { maxLength: 3 })), { maxLength: 12 })
  .map((entries) => {
    const urls = entries.map(([gap, address, rest]) => `${gap}<url><loc>${address}</loc>${rest.join(gap)}</url>`);
    return `<urlset xmlns="${NAMESPACE}">${urls.join("")}</urlset>`;
  });

/** What can happen to a text: a part is lost, comes twice, or something foreign stands in it. */
const accident = fc.oneof(
  fc.record({ kind: fc.constant("lose" as const), at: fc.nat(), length: fc.integer({ min: 1, max: 12 }) }),
  fc.record({ kind: fc.constant("cut" as const), at: fc.nat() }),
  fc.record({ kind: fc.constant("repeat" as const), at: fc.nat(), length: fc.integer({ min: 1, max: 80 }) }),
  fc.record({ kind: fc.constant("insert" as const), at: fc.nat(), text: fc.oneof(white, content, odd, loc) }),
);

export const mutated = fc
  .tuple(
    document,
    fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(accident, { minLength: 1, maxLength: 3 })),
  )
  .map(([text, accidents]) =>
    accidents.reduce((now, happened) => {
      const at = happened.at % (now.length + 1);
      const [before, after] = [now.slice(0, at), now.slice(at)];
      if (happened.kind === "lose") return before + after.slice(happened.length);
      if (happened.kind === "cut") return before;
      if (happened.kind === "repeat") return before + after.slice(0, happened.length) + after;
      return before + happened.text + after;
    }, text),
  );
