const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/**
 * Shows times in the zone of the reader, and UTC after them. Without this script they are in UTC alone. Days of UTC, such as the
 * last day of a key, have no `data-local` and stay.
 */
export function showLocalTimes(root: ParentNode): void {
  for (const time of root.querySelectorAll<HTMLTimeElement>("time[data-local]")) {
    const at = new Date(time.dateTime);
    if (at.getTimezoneOffset() === 0) continue;
    const [here, utc] = [dayAndClock(at, ""), dayAndClock(at, "UTC")];
    const after = `${here.day === utc.day ? "" : `${utc.day}, `}${utc.clock}\u00a0UTC`;
    const whole = `${here.day}, ${here.clock} (${after})`;
    if (time.dataset.local === "time") time.textContent = whole;
    else time.title = whole;
    if (time.dataset.local === "day") time.textContent = here.day;
  }
}

/** "21 Nov 2026" and "09:43" @param zone "" for the zone of the reader */
function dayAndClock(at: Date, zone: "" | "UTC"): { readonly day: string; readonly clock: string } {
  const two = (part: number) => String(part).padStart(2, "0");
  const [date, month, year] = [at[`get${zone}Date`](), at[`get${zone}Month`](), at[`get${zone}FullYear`]()];
  return {
    day: `${date}\u00a0${MONTHS[month]}\u00a0${year}`,
    clock: `${two(at[`get${zone}Hours`]())}:${two(at[`get${zone}Minutes`]())}`,
  };
}
