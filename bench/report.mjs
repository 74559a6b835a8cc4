import { ROWS } from "./rows.mjs";
import { getMedian } from "./measure/statistics.mjs";

const BASELINE = "baseline";
const EMBEDDED = "Parley, embedded";

const formatNumber = (value) => {
  if (value === undefined || Number.isNaN(value)) return "–";
  return value.toFixed(Math.abs(value) < 10 ? 2 : 1);
};

const formatLimit = (limit, unit) => {
  if ("times" in limit) return `≤ ${limit.times} ×`;
  return "above" in limit ? `≤ baseline + ${limit.above} ${unit}` : `≤ ${limit.max} ${unit}`;
};

const calculateLimit = (limit, baseline) => {
  if ("times" in limit) return limit.times * baseline;
  return "above" in limit ? limit.above + baseline : limit.max;
};

const judge = (limit, value, baseline) => {
  const max = calculateLimit(limit, baseline);
  if (Number.isNaN(max)) return "no baseline";
  return value <= max ? "ok" : "OVER";
};

/** Formats a table. The first column is text, the others are numbers. */
const formatTable = (lines) => {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const pad = (cell, column) =>
    column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]);
  const text = lines.map((line) => `| ${line.map(pad).join(" | ")} |`);
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [text[0], rule, ...text.slice(1)].join("\n");
};

/**
 * Formats the table that compares one system with the baseline.
 *
 * @param {Map<string, Map<string, number[]>>} samples each system's samples of each row
 * @param {string} name of the system
 */
export const formatComparison = (samples, name) => {
  const getSystemMedian = (system, id) => {
    const values = samples.get(system)?.get(id);
    return values ? getMedian(values) : Number.NaN;
  };
  const lines = ROWS.filter(({ id }) => samples.get(name)?.has(id)).map((row) => {
    const value = getSystemMedian(name, row.id);
    const baseline = getSystemMedian(BASELINE, row.id);
    const limit = (name === EMBEDDED && row.embedded) || row.limit;
    return [
      `${row.title}, ${row.unit}`,
      formatNumber(baseline),
      formatNumber(value),
      formatNumber(value / baseline),
      formatLimit(limit, row.unit),
      judge(limit, value, baseline),
    ];
  });
  return formatTable([["", BASELINE, name, "ratio", "required", ""], ...lines]);
};

/** @param {number[]} megabytes after the first turns and after as many more */
export const formatMemoryReport = ({
  turns,
  megabytes: [first, second],
  maxMegabytes,
  maxGrowth,
}) => {
  const isFlat = second <= first * (1 + maxGrowth);
  const verdictText = isFlat && Math.max(first, second) <= maxMegabytes ? "ok" : "OVER";
  return formatTable([
    ["memory of the server with the embedded database", "MB", "required", ""],
    [
      `after ${turns} turns`,
      formatNumber(first),
      `≤ ${maxMegabytes} MB`,
      first <= maxMegabytes ? "ok" : "OVER",
    ],
    [`after ${turns} more`, formatNumber(second), `growth ≤ ${maxGrowth * 100} %`, verdictText],
  ]);
};

/**
 * Formats the figures of `runLarge`.
 *
 * @param {string} name of the system
 * @param {[title: string, value: number, unit: string, max?: number][]} figures
 */
export const formatLargeReport = (name, figures) =>
  formatTable([
    [`${name}, 20,000 chats and 500,000 messages`, "", "required", ""],
    ...figures.map(([title, value, unit, max]) => [
      title,
      `${formatNumber(value)} ${unit}`,
      max === undefined ? "" : `≤ ${max} ${unit}`,
      max === undefined ? "" : value <= max ? "ok" : "OVER",
    ]),
  ]);
