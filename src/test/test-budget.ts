import { type CommandBudget, createCommandBudget } from "@/server/exec/budget/command-budget";
import { createCommandLimits } from "@/server/exec/sandbox/limits";

/** A budget for so many commands at a time, with the usual limits. */
export const createTestBudget = (places: number): CommandBudget => {
  const limits = createCommandLimits();
  return createCommandBudget({ limits, totalBytes: places * limits.memoryBytes });
};

/** A budget that no test uses up. */
export const LARGE_BUDGET = createTestBudget(1_000);
