import { formatNumber } from "../../platform/format.ts";
import type { OnEntry, Reader } from "../../platform/lists/format.ts";
import type { SitemapLimits } from "../../platform/lists/limits.ts";
import { UnreadableList } from "../../platform/lists/limits.ts";
import { TextReader } from "../../platform/lists/text-reader.ts";
import { hasControl } from "../../platform/text.ts";

/** After so many entries without an address, the document counts as something else: an error page, a log. */
const MAX_ENTRIES_WITHOUT_ADDRESS = 100;

/** Reads the text format: a list of lines or a table. An entry that is no address counts as well. */
export function textReader(onEntry: OnEntry, limits: SitemapLimits): Reader {
  let entries = 0;
  let isList = false;
  const take: OnEntry = (address, _, found) => {
    entries += 1;
    if (entries > limits.elements) throw new UnreadableList(`it has over ${formatNumber(limits.elements)} lines`);
    if (address.length > limits.address) throw new UnreadableList(`line ${found!.line} is too long`);
    if (hasControl(address.replace(/[\t\n]/g, ""))) throw new UnreadableList(`line ${found!.line} is not text`);
    isList ||= /^(https?:\/)?\//i.test(address);
    if (!isList && entries === MAX_ENTRIES_WITHOUT_ADDRESS) throw noList();
    onEntry(address, null, found);
  };
  const reader = new TextReader(take, limits.line);
  return {
    write: (text) => reader.write(text),
    end() {
      reader.end();
      if (!isList) throw noList();
      return "text";
    },
  };
}

function noList(): Error {
  return new UnreadableList("it is neither XML nor a list of addresses");
}
