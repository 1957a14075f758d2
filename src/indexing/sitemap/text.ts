import { formatNumber } from "../../platform/format.ts";
import type { OnEntry, Reader } from "../../platform/lists/format.ts";
import type { SitemapLimits } from "../../platform/lists/limits.ts";
import { hasControl } from "../../platform/text.ts";
import { invalidSitemap } from "./limits.ts";

/** After so many lines without an address, the document counts as something else: an error page, a log, a table. */
const MAX_LINES_WITHOUT_ADDRESS = 100;

/**
 * Parses the text format: one address a line. Blank lines are skipped. A line that is no address counts as an entry.
 */
export function textReader(onEntry: OnEntry, limits: SitemapLimits): Reader {
  const maxLine = limits.address + 1024;
  let rest = "";
  let lines = 0;
  let nonEmpty = 0;
  let isList = false;
  const takeLine = (line: string) => {
    lines += 1;
    if (lines > limits.elements) throw invalidSitemap(`it has over ${formatNumber(limits.elements)} lines`);
    const address = line.trim();
    if (line.length > maxLine || address.length > limits.address) throw invalidSitemap(`line ${lines} is too long`);
    if (hasControl(address.replaceAll("\t", ""))) throw invalidSitemap(`line ${lines} is not text`);
    if (address === "") return;
    isList ||= /^(https?:\/)?\//i.test(address);
    nonEmpty += 1;
    if (!isList && nonEmpty === MAX_LINES_WITHOUT_ADDRESS) throw noList();
    onEntry(address, null);
  };
  return {
    write(text) {
      // A CR at the end may be the first half of a CRLF.
      const newLines = (rest + text).split(/\r\n|\n|\r(?!$)/);
      rest = newLines.pop()!;
      for (const line of newLines) takeLine(line);
      if (rest.length > maxLine + 1) throw invalidSitemap(`line ${lines + 1} is too long`);
    },
    end() {
      takeLine(rest.replace(/\r$/, ""));
      if (!isList) throw noList();
      return "text";
    },
  };
}

function noList() {
  return invalidSitemap("it is neither XML nor a list of addresses");
}
