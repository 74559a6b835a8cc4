const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** How long ago `iso` was, in as few letters as a list row has room for: `now`, `5m`, `3h`, `2d`, `12 Mar`. */
export const relativeTime = (iso: string, now: number): string => {
  const then = Date.parse(iso);
  if (Number.isNaN(then)) return "";
  const age = now - then;
  if (age < MINUTE_MS) return "now";
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)}m`;
  if (age < DAY_MS) return `${Math.floor(age / HOUR_MS)}h`;
  if (age < 7 * DAY_MS) return `${Math.floor(age / DAY_MS)}d`;
  const date = new Date(then);
  const month = MONTHS[date.getUTCMonth()] ?? "";
  return date.getUTCFullYear() === new Date(now).getUTCFullYear()
    ? `${date.getUTCDate()} ${month}`
    : `${month} ${date.getUTCFullYear()}`;
};
