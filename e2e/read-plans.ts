import { readFileSync } from "node:fs";

/** Settings of a server that logs how it has carried out each statement. */
export const LOG_PLANS = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_analyze": "on",
  "auto_explain.log_timing": "off",
  "auto_explain.log_format": "json",
  log_line_prefix: "",
};

type PlanNode = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Actual Rows"?: number;
  "Actual Loops"?: number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  Plans?: PlanNode[];
};

/** One run of a statement. */
export type StatementRun = {
  text: string;
  /** The scans of a table, each with the rows that it has read: also those that a filter has left out. */
  scans: { type: string; table: string; index: string | undefined; rows: number }[];
};

/** Reads what a server with `LOG_PLANS` has logged from a place in its log on. */
export const readPlans = (log: string, from = 0): StatementRun[] =>
  readFileSync(log, "utf8")
    .slice(from)
    .split(/^LOG: {2}duration: .* plan:\n/m)
    .slice(1)
    // The last one may not be written to its end.
    .filter((entry) => /^\t\}$/m.test(entry))
    .map((entry) => {
      const json = entry.split(/^[A-Z]+: {2}/m)[0] ?? "";
      const { "Query Text": text, Plan: plan } = JSON.parse(json) as {
        "Query Text": string;
        Plan: PlanNode;
      };
      return { text, scans: listScans(plan) };
    });

const listScans = (node: PlanNode): StatementRun["scans"] => {
  const table = node["Relation Name"];
  const type = node["Node Type"];
  const read =
    (node["Actual Rows"] ?? 0) +
    (node["Rows Removed by Filter"] ?? 0) +
    (node["Rows Removed by Index Recheck"] ?? 0);
  const own =
    table !== undefined && type.endsWith("Scan")
      ? [{ type, table, index: node["Index Name"], rows: read * (node["Actual Loops"] ?? 0) }]
      : [];
  return [...own, ...(node.Plans ?? []).flatMap(listScans)];
};
