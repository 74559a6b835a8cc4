const BYTE_UNITS = ["KB", "MB", "GB"] as const;

/** Formats a size in units of 1024: `812 B`, `64 KB`, `1.4 MB`. */
export const formatBytes = (bytes: number): string => {
  if (bytes < 1024) return `${bytes} B`;
  let value = bytes / 1024;
  let unit = 0;
  while (value >= 1023.5 && unit < BYTE_UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value < 9.95 ? value.toFixed(1).replace(/\.0$/, "") : Math.round(value)} ${BYTE_UNITS[unit]}`;
};

/** Formats a count of tokens: `840`, `12.4K`, `200K`, `1.2M`. */
export const formatTokens = (tokens: number): string => {
  if (tokens < 1_000) return String(tokens);
  return tokens < 999_500 ? `${abbreviate(tokens / 1_000)}K` : `${abbreviate(tokens / 1_000_000)}M`;
};

const abbreviate = (value: number): string =>
  value < 99.95 ? value.toFixed(1).replace(/\.0$/, "") : String(Math.round(value));

/** Formats millionths of a dollar: `$0.0042`, `$0.31`, `$12.50`. */
export const formatCost = (micros: number): string => {
  const value = micros / 1_000_000;
  return `$${value > 0 && value < 0.1 ? value.toPrecision(2) : value.toFixed(2)}`;
};

/** Formats prices in millionths of a dollar per million tokens: `free`, `$0.25 in, $2.00 out per million tokens`. */
export const formatPrices = ({ input, output }: { input: number; output: number }): string =>
  input + output === 0
    ? "free"
    : `${formatCost(input)} in, ${formatCost(output)} out per million tokens`;

/** Formats a duration: `0.4s`, `12s`, `3m 05s`, `2h 07m`. */
export const formatDuration = (ms: number): string => {
  if (!Number.isFinite(ms) || ms < 0) return "0s";
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${pad(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h ${pad(minutes % 60)}m`;
};

/** Formats the time that remains, rounded up so that it is 0 only at the end: `7s`, `2m 05s`, `3h 20m`, `2d 4h`. */
export const formatCountdown = (ms: number): string => {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${pad(seconds % 60)}s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours}h ${pad(minutes % 60)}m`;
  return `${Math.floor(hours / 24)}d ${hours % 24}h`;
};

const pad = (value: number): string => String(value).padStart(2, "0");

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** Formats how long ago `iso` was, short enough for a row of a list: `now`, `5m`, `3h`, `2d`, `12 Mar`. */
export const formatRelativeTime = (iso: string, now: number): string => {
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

/** Formats the day of `iso` in the time zone of the browser: `12 Mar 2026`. */
export const formatDate = (iso: string): string => {
  const date = new Date(iso);
  return `${date.getDate()} ${MONTHS[date.getMonth()] ?? ""} ${date.getFullYear()}`;
};

const AGO = new Intl.RelativeTimeFormat("en");

/** Formats how long ago `iso` was, for a sentence: `just now`, `5 minutes ago`, `on 12 Mar 2026`. */
export const formatTimeAgo = (iso: string, now: number): string => {
  const age = now - Date.parse(iso);
  if (age < MINUTE_MS) return "just now";
  if (age < HOUR_MS) return AGO.format(-Math.floor(age / MINUTE_MS), "minute");
  if (age < DAY_MS) return AGO.format(-Math.floor(age / HOUR_MS), "hour");
  if (age < 7 * DAY_MS) return AGO.format(-Math.floor(age / DAY_MS), "day");
  return `on ${formatDate(iso)}`;
};

/** Formats a time that is `iso` or up to a day later: `in the last 2 days`, `around 12 Mar 2026`. */
export const formatDaysAgo = (iso: string, now: number): string => {
  const days = Math.max(1, Math.ceil((now - Date.parse(iso)) / DAY_MS));
  if (days === 1) return "in the last day";
  return days <= 7 ? `in the last ${days} days` : `around ${formatDate(iso)}`;
};
