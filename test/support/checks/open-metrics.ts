/** One value of a metric, with its labels. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly type: string;
  readonly help: string;
  readonly samples: readonly Sample[];
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const LABEL = '([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\\\\n]|\\\\["\\\\n])*)"';
const SAMPLE = new RegExp(
  `^(${NAME})(?:\\{((?:${LABEL}(?:,(?=[a-z]))?)*)\\})? (-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?|NaN|[+-]Inf)$`,
);

/** Suffixes that the samples of a metric family may have after its name (OpenMetrics 1.0, section 5). */
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  counter: ["_total"],
  gauge: [""],
  histogram: ["_bucket", "_count", "_sum"],
  summary: ["", "_count", "_sum"],
};

/**
 * Parses OpenMetrics text as strictly as its specification demands. In the older Prometheus format (`isOpen` false), the
 * names of counter families include `_total`, and there is no final `# EOF`.
 * @throws Error that names the line
 */
export function parseMetrics(text: string, isOpen: boolean): Map<string, Family> {
  const lines = text.split("\n");
  const families = new Map<string, { type: string; help: string; samples: Sample[] }>();
  const end = isOpen ? ["# EOF", ""] : [""];
  if (lines.splice(-end.length).join() !== end.join())
    throw new Error("the text does not end with # EOF and a line feed");
  let current = "";
  for (const line of lines) {
    if (line === "" && !isOpen) continue;
    const [, what, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (what === "HELP") {
      if (families.has(name)) throw new Error(`${name} comes twice`);
      families.set(name, { type: "", help: rest, samples: [] });
      current = name;
    } else if (what === "TYPE") {
      if (name !== current || !(rest in SUFFIXES)) throw new Error(line);
      families.get(name)!.type = rest;
    } else families.get(current)!.samples.push(sampleOf(line, current, families.get(current)!.type, isOpen));
  }
  for (const [name, { samples }] of families) refuseDuplicates(name, samples);
  return families;
}

function sampleOf(line: string, family: string, type: string, isOpen: boolean): Sample {
  const found = SAMPLE.exec(line);
  if (!found) throw new Error(`no sample: ${line}`);
  const [, name = "", labels = ""] = found;
  const suffixes = type === "counter" && !isOpen ? [""] : SUFFIXES[type]!;
  if (!suffixes.some((suffix) => name === family + suffix)) throw new Error(`${name} is none of ${family} (${type})`);
  const pairs = [...labels.matchAll(new RegExp(LABEL, "g"))].map(([, key, value]) => [key!, value!] as const);
  const value = Number(line.slice(line.lastIndexOf(" ") + 1).replace("Inf", "Infinity"));
  if (type === "counter" && !(value >= 0)) throw new Error(`a counter below zero: ${line}`);
  return { name, labels: Object.fromEntries(pairs), value };
}

function refuseDuplicates(name: string, samples: readonly Sample[]): void {
  const keys = samples.map((one) => JSON.stringify([one.name, Object.entries(one.labels).sort()]));
  if (new Set(keys).size !== keys.length) throw new Error(`${name} has one sample twice`);
}
