import { describe, expect, it } from "vitest";
import {
  formatBytes,
  formatCost,
  formatCountdown,
  formatDate,
  formatDaysAgo,
  formatDuration,
  formatRelativeTime,
  formatTimeAgo,
  formatTokens,
} from "./format";

const NOW = Date.parse("2026-03-12T12:00:00Z");
const ago = (ms: number): string => new Date(NOW - ms).toISOString();

describe("formatRelativeTime", () => {
  it.each([
    [ago(-5_000), "now"],
    [ago(59_999), "now"],
    [ago(60_000), "1m"],
    [ago(3_599_999), "59m"],
    [ago(3_600_000), "1h"],
    [ago(86_400_000), "1d"],
    [ago(7 * 86_400_000), "5 Mar"],
    ["2025-12-31T00:00:00Z", "Dec 2025"],
    ["not a date", ""],
  ])("%s → %s", (iso, text) => expect(formatRelativeTime(iso, NOW)).toBe(text));
});

describe("formatDuration", () => {
  it.each([
    [0, "0.0s"],
    [420, "0.4s"],
    [9_949, "9.9s"],
    [9_950, "10s"],
    [59_499, "59s"],
    [59_500, "1m 00s"],
    [185_000, "3m 05s"],
    [7_620_000, "2h 07m"],
    [-1, "0s"],
    [Number.NaN, "0s"],
  ])("%s → %s", (ms, text) => expect(formatDuration(ms)).toBe(text));
});

describe("formatCountdown", () => {
  it.each([
    [-1, "0s"],
    [1, "1s"],
    [7_000, "7s"],
    [59_001, "1m 00s"],
    [3_600_000, "1h 00m"],
    [86_400_000 * 2 + 4 * 3_600_000, "2d 4h"],
  ])("%s → %s", (ms, text) => expect(formatCountdown(ms)).toBe(text));
});

describe("formatBytes", () => {
  it.each([
    [0, "0 B"],
    [1_023, "1023 B"],
    [1_024, "1 KB"],
    [1_536, "1.5 KB"],
    [65_536, "64 KB"],
    [1_048_575, "1 MB"],
    [1_468_006, "1.4 MB"],
  ])("%s → %s", (bytes, text) => expect(formatBytes(bytes)).toBe(text));
});

describe("formatTokens", () => {
  it.each([
    [0, "0"],
    [999, "999"],
    [12_400, "12.4K"],
    [200_000, "200K"],
    [999_499, "999K"],
    [999_500, "1M"],
    [1_240_000, "1.2M"],
  ])("%s → %s", (tokens, text) => expect(formatTokens(tokens)).toBe(text));
});

describe("formatCost", () => {
  it.each([
    [0, "$0.00"],
    [4_200, "$0.0042"],
    [310_000, "$0.31"],
    [12_500_000, "$12.50"],
  ])("%s → %s", (micros, text) => expect(formatCost(micros)).toBe(text));
});

describe("formatDate", () => {
  it("formats the local day", () => {
    expect(formatDate(new Date(2026, 2, 12, 0, 0).toISOString())).toBe("12 Mar 2026");
    expect(formatDate(new Date(2026, 2, 12, 23, 59).toISOString())).toBe("12 Mar 2026");
  });
});

describe("formatTimeAgo", () => {
  it.each([
    [ago(-5_000), "just now"],
    [ago(59_999), "just now"],
    [ago(60_000), "1 minute ago"],
    [ago(3_599_999), "59 minutes ago"],
    [ago(3_600_000), "1 hour ago"],
    [ago(86_400_000), "1 day ago"],
    [ago(7 * 86_400_000 - 1), "6 days ago"],
    [ago(7 * 86_400_000), "on 5 Mar 2026"],
  ])("%s → %s", (iso, text) => expect(formatTimeAgo(iso, NOW)).toBe(text));
});

describe("formatDaysAgo", () => {
  it.each([
    [ago(-5_000), "in the last day"],
    [ago(86_400_000), "in the last day"],
    [ago(86_400_001), "in the last 2 days"],
    [ago(7 * 86_400_000), "in the last 7 days"],
    [ago(8 * 86_400_000), "around 4 Mar 2026"],
  ])("%s → %s", (iso, text) => expect(formatDaysAgo(iso, NOW)).toBe(text));
});
