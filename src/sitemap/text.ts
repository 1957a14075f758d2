import { hasControl } from "../text.ts";
import type { Reader } from "./format.ts";
import { invalidSitemap, type SitemapLimits } from "./limits.ts";

/** The text format: one address a line. Blank lines are nothing; a line that is no address is an entry all the same. */
export function textReader(onEntry: (address: string) => void, limits: SitemapLimits): Reader {
  let rest = "";
  let lines = 0;
  let plausible = false;
  const take = (line: string) => {
    lines += 1;
    if (lines > limits.elements) throw invalidSitemap(`it has over ${limits.elements.toLocaleString("en-US")} lines`);
    const address = line.trim();
    if (address.length > limits.address) throw invalidSitemap(`line ${lines} is too long`);
    if (hasControl(address.replaceAll("\t", ""))) throw invalidSitemap(`line ${lines} is not text`);
    if (address === "") return;
    plausible ||= /^(https?:\/)?\//i.test(address);
    onEntry(address);
  };
  return {
    write(text) {
      const parts = (rest + text).split(/\r\n|\n|\r/);
      rest = parts.pop()!;
      for (const line of parts) take(line);
      if (rest.length > limits.address + 1024) throw invalidSitemap(`line ${lines + 1} is too long`);
    },
    end() {
      take(rest);
      // An error page or a JSON answer has lines as well.
      if (!plausible) throw invalidSitemap("it is neither XML nor a list of addresses");
      return "text";
    },
  };
}
