import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TIME_FORMATS } from "./time-formats";

const before = process.env.TZ;
afterAll(() => {
  process.env.TZ = before;
  if (before === undefined) delete process.env.TZ;
});

describe.each([
  ["Asia/Kolkata", "+05:30", "2026-03-31T04:00:00.000Z"],
  ["UTC", "Z", "2026-03-31T09:30:00.000Z"],
  ["America/Caracas", "-04:00", "2026-03-31T13:30:00.000Z"],
])("in %s", (zone, offset, moment) => {
  beforeAll(() => {
    process.env.TZ = zone;
  });

  it("a time of day is sent with the offset of the zone, and shown in it", () => {
    const format = TIME_FORMATS.get("time");
    expect(format?.fromInput("09:30")).toBe(`09:30:00${offset}`);
    expect(format?.fromInput("09:30:15")).toBe(`09:30:15${offset}`);
    expect(format?.toInput(`09:30:00${offset}`)).toBe("09:30");
    expect(format?.toInput(`09:30:15${offset}`)).toBe("09:30:15");
    expect(format?.toInput("late")).toBe("");
  });

  it("a moment is sent in UTC, and shown in the zone", () => {
    const format = TIME_FORMATS.get("date-time");
    expect(format?.fromInput("2026-03-31T09:30")).toBe(moment);
    expect(format?.toInput(moment)).toBe("2026-03-31T09:30");
  });
});

it("a time of another zone is shown in that of the person", () => {
  process.env.TZ = "Asia/Kolkata";
  expect(TIME_FORMATS.get("time")?.toInput("09:30:00Z")).toBe("15:00");
});
