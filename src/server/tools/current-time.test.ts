import { describe, expect, it } from "vitest";
import type { JsonValue } from "@/contract/json";
import { callTool, recordedDeps } from "@/test/tool-fixture";

const getTime = (time: string, args: JsonValue) =>
  callTool({ name: "current_time", args }, recordedDeps({ step: { now: () => new Date(time) } }));

describe("current_time returns", () => {
  it.each<[what: string, time: string, args: JsonValue, local: string, weekday: string]>([
    ["UTC by default", "2026-03-29T00:59:30.250Z", {}, "2026-03-29T00:59:30+00:00", "Sunday"],
    [
      "UTC for null",
      "2026-03-29T00:59:30Z",
      { time_zone: null },
      "2026-03-29T00:59:30+00:00",
      "Sunday",
    ],
    [
      "the last minute of winter time",
      "2026-03-29T00:59:30Z",
      { time_zone: "Europe/Berlin" },
      "2026-03-29T01:59:30+01:00",
      "Sunday",
    ],
    [
      "the first minute of summer time",
      "2026-03-29T01:00:00Z",
      { time_zone: "Europe/Berlin" },
      "2026-03-29T03:00:00+02:00",
      "Sunday",
    ],
    [
      "yesterday, where it still is",
      "2026-01-01T03:00:00Z",
      { time_zone: "America/New_York" },
      "2025-12-31T22:00:00-05:00",
      "Wednesday",
    ],
    [
      "midnight as 00",
      "2025-12-31T18:30:00Z",
      { time_zone: "Asia/Kolkata" },
      "2026-01-01T00:00:00+05:30",
      "Thursday",
    ],
  ])("%s", async (_what, time, args, local, weekday) => {
    const zone = (args as { time_zone?: string | null }).time_zone ?? "UTC";
    expect(await getTime(time, args)).toMatchObject({
      state: "completed",
      output: `${weekday} ${local} ${zone}`,
    });
  });

  it.each(["Mars/Olympus", "", "UTC+25", "../etc"])(
    "an error for %j, which is not a time zone",
    async (time_zone) => {
      const outcome = await getTime("2026-01-01T00:00:00Z", { time_zone });
      expect(outcome).toMatchObject({ state: "error", isError: true });
      expect(outcome.output).toContain("Europe/Berlin");
    },
  );
});
