/** The texts that users type and that pages show. */
export interface ExampleTexts {
  /** The name of a project, key, app or agent, made from one that anybody might choose. */
  name(usual: string): string;
  /** The URL of page `index` of a section of a website. */
  url(section: string, index: number): string;
}

export const USUAL_TEXTS: ExampleTexts = {
  name: (usual) => usual,
  url: (section, index) => `https://www.example.com/${section}/${WORDS[index % WORDS.length]}-${index + 1}`,
};

const WORDS = ["welcome", "getting-started", "prices", "how-it-works", "questions", "field-report", "recipes"];

/** The worst that the limits allow: markup, text from right to left, and 120 wide characters; URLs of 4,000 characters. */
export const BAD_NAMES: readonly string[] = [
  "漢".repeat(120),
  "W".repeat(120),
  "\u202egnp.exe \u2067abc \u202etxet",
  "<script>alert(1)</script><b>&lt;</b>",
  "مشروع الربيع ".repeat(9).trim(),
];

const BAD_PATHS = [
  "a".repeat(3_900),
  "مرحبا/بالعالم/".repeat(20),
  `?q=${"x%20y&".repeat(600)}`,
  "\u202egnp/exe",
  "%3Cscript%3Ealert(1)%3C/script%3E",
  "漢字".repeat(200),
];

/** Each bad text in turn. */
export function badTexts(): ExampleTexts {
  let names = 0;
  return {
    name: () => BAD_NAMES[names++ % BAD_NAMES.length]!,
    url: (section, index) => `https://www.example.com/${section}/${index}/${BAD_PATHS[index % BAD_PATHS.length]}`,
  };
}
