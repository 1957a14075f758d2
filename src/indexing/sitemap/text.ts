import { formatNumber } from "../../platform/format.ts";
import { hasControl } from "../../platform/text.ts";
import type { Reader } from "./format.ts";
import { invalidSitemap, type SitemapLimits } from "./limits.ts";

/** Lines without one that could be an address, after which it is something else: an error page, a log, a table. */
const PATIENCE = 100;

/** The text format: one address a line. Blank lines are nothing; a line that is no address is an entry all the same. */
export function textReader(onEntry: (address: string) => void, limits: SitemapLimits): Reader {
  const longest = limits.address + 1024;
  let rest = "";
  let lines = 0;
  let doubtful = 0;
  let isList = false;
  const take = (line: string) => {
    lines += 1;
    if (lines > limits.elements) throw invalidSitemap(`it has over ${formatNumber(limits.elements)} lines`);
    const address = line.trim();
    if (line.length > longest || address.length > limits.address) throw invalidSitemap(`line ${lines} is too long`);
    if (hasControl(address.replaceAll("\t", ""))) throw invalidSitemap(`line ${lines} is not text`);
    if (address === "") return;
    isList ||= /^(https?:\/)?\//i.test(address);
    doubtful += 1;
    if (!isList && doubtful === PATIENCE) throw noList();
    onEntry(address);
  };
  return {
    write(text) {
      // The last character may be one half of a CRLF.
      const parts = (rest + text).split(/\r\n|\n|\r(?!$)/);
      rest = parts.pop()!;
      for (const line of parts) take(line);
      if (rest.length > longest + 1) throw invalidSitemap(`line ${lines + 1} is too long`);
    },
    end() {
      take(rest.replace(/\r$/, ""));
      if (!isList) throw noList();
      return "text";
    },
  };
}

function noList() {
  return invalidSitemap("it is neither XML nor a list of addresses");
}
