import { ROWS } from "./rows.mjs";
import { median } from "./measure/statistics.mjs";

const BASELINE = "baseline";

const number = (value) => {
  if (value === undefined || Number.isNaN(value)) return "–";
  return value.toFixed(Math.abs(value) < 10 ? 2 : 1);
};

const limitText = (limit, unit) => {
  if ("times" in limit) return `≤ ${limit.times} ×`;
  return "above" in limit ? `≤ baseline + ${limit.above} ${unit}` : `≤ ${limit.most} ${unit}`;
};

const limitValue = (limit, baseline) => {
  if ("times" in limit) return limit.times * baseline;
  return "above" in limit ? limit.above + baseline : limit.most;
};

const verdict = (row, value, baseline) => {
  const most = limitValue(row.limit, baseline);
  if (Number.isNaN(most)) return "no baseline";
  return value <= most ? "ok" : "OVER";
};

/** Columns as wide as their widest cell; the first is text, the others are numbers. */
const table = (lines) => {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const pad = (cell, column) =>
    column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]);
  const text = lines.map((line) => `| ${line.map(pad).join(" | ")} |`);
  const rule = `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`;
  return [text[0], rule, ...text.slice(1)].join("\n");
};

/**
 * The table of one system beside the baseline.
 *
 * @param {Map<string, Map<string, number[]>>} samples each system's samples of each row
 * @param {string} name of the system
 */
export const comparison = (samples, name) => {
  const middle = (system, id) => {
    const values = samples.get(system)?.get(id);
    return values ? median(values) : Number.NaN;
  };
  const lines = ROWS.filter(({ id }) => samples.get(name)?.has(id)).map((row) => {
    const value = middle(name, row.id);
    const baseline = middle(BASELINE, row.id);
    return [
      `${row.title}, ${row.unit}`,
      number(baseline),
      number(value),
      number(value / baseline),
      limitText(row.limit, row.unit),
      verdict(row, value, baseline),
    ];
  });
  return table([["", BASELINE, name, "ratio", "required", ""], ...lines]);
};

/** @param {number[]} megabytes after the first turns and after as many more */
export const memoryReport = ({ turns, megabytes: [first, second], most, growth }) => {
  const flat = second <= first * (1 + growth);
  const verdictText = flat && Math.max(first, second) <= most ? "ok" : "OVER";
  return table([
    ["memory of the server with the embedded database", "MB", "required", ""],
    [`after ${turns} turns`, number(first), `≤ ${most} MB`, first <= most ? "ok" : "OVER"],
    [`after ${turns} more`, number(second), `flat: ≤ ${growth * 100} % more`, verdictText],
  ]);
};
