import { type CDPSession, expect, type Page } from "@playwright/test";
import { describeValues, median } from "./medians";
import { measureReference, traceTasks } from "./trace-tasks";

type Run = { longestMs: number; referenceMs: number };
type Measured = { page: Page; session: CDPSession };

/** Measures the longest tasks of pages in CPU time, each run beside the same reference. */
export const createTaskMeter = () => {
  const runs = new Map<string, Run[]>();
  return {
    /** The body must not look at the page more than it has to, as searching a large page is a task itself. */
    measure: async (
      name: string,
      { page, session }: Measured,
      body: () => Promise<unknown>,
    ): Promise<void> => {
      const referenceMs = await measureReference(session, page);
      const [longestMs = 0] = await traceTasks(session, body);
      runs.set(name, [...(runs.get(name) ?? []), { longestMs, referenceMs }]);
    },
    /** Expects that the median of what was measured is below so many references, and prints all of it. */
    expectBelow: (maxReferences: number): void => {
      expect(runs.size).toBeGreaterThan(0);
      for (const [name, ofName] of runs) {
        const longest = ofName.map(({ longestMs }) => longestMs);
        const references = ofName.map(({ referenceMs }) => referenceMs);
        const ratios = ofName.map(({ longestMs, referenceMs }) => longestMs / referenceMs);
        console.log(
          `${name}: longest task ${describeValues(longest)} ms of CPU, reference ${describeValues(references)} ms, ratio ${describeValues(ratios, 2)}`,
        );
        expect(Math.min(...references)).toBeGreaterThan(0);
        expect(median(ratios), name).toBeLessThan(maxReferences);
      }
    },
  };
};
