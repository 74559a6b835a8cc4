import { expect, it } from "vitest";
import { measureMedian, measureReferenceMs, readCpuMs } from "@/test/cpu-time";
import { validateValues } from "./validate-values";

const EVIL = {
  schema: { type: "string", pattern: "^(a+)+$" },
  value: `${"a".repeat(60)}!`,
};

/** Of preparing a job and starting a thread, in multiples of the reference. */
const MAX_COST = 20;

it("values that share one budget cost this thread little", async () => {
  const referenceMs = await measureReferenceMs();
  const cost = await measureMedian("values, cost of this thread", async () => {
    const before = process.threadCpuUsage();
    await validateValues(
      Array.from({ length: 60 }, () => EVIL),
      "user-1",
    );
    return readCpuMs(before) / referenceMs;
  });
  expect(cost).toBeLessThan(MAX_COST);
});

it("60 values take the time of one", async () => {
  const measureMs = async (count: number) => {
    const values = Array.from({ length: count }, () => EVIL);
    const started = performance.now();
    await validateValues(values, "user-1");
    return performance.now() - started;
  };
  const ratio = await measureMedian(
    "60 values, times of one",
    async () => (await measureMs(60)) / (await measureMs(1)),
  );
  // With one budget for each of the values, it would be 60 times.
  expect(ratio).toBeLessThan(30);
});
