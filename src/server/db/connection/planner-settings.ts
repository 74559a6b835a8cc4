/**
 * Settings of the planner for every session, on both databases.
 *
 * Each of our statements finds its rows by an index, and which one does not depend on its values.
 * Without these settings the planner scans small tables completely, including dead rows, and keeps that
 * plan for the whole session. Compiling such short statements costs more than it saves.
 */
export const PLANNER_SETTINGS = {
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  jit: "off",
};

/** The same as start parameters of a server. */
export const plannerOptions: readonly string[] = Object.entries(PLANNER_SETTINGS).flatMap(
  ([name, value]) => ["-c", `${name}=${value}`],
);
