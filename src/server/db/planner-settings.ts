/**
 * How every session plans, whichever database it is on.
 *
 * Each statement of ours finds its rows by an index, and which one does not depend on its values.
 * Without these settings the planner scans small tables whole, dead rows included, and keeps such a plan for as
 * long as the session
 * lives. Compiling a statement this short costs more than it can save.
 */
export const PLANNER_SETTINGS = {
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  enable_bitmapscan: "off",
  jit: "off",
};

/** The same as start parameters of a server, or as options of a connection. */
export const plannerOptions: readonly string[] = Object.entries(PLANNER_SETTINGS).flatMap(
  ([name, value]) => ["-c", `${name}=${value}`],
);
