import { expect, it } from "vitest";
import { createInterlacedPng } from "@/test/create-interlaced-png";
import { toModelImage } from "./model-image";

const MAX_GROWTH_BYTES = 250_000_000;
const POLL_MS = 10;

it.each([
  ["the largest that is decoded as a whole", 6_100, 8, 8],
  ["one that would take too much", 7_000, 16, 0],
] as const)("eight images at once take as much memory as one: %s", async (_, side, bits, count) => {
  const png = createInterlacedPng(side, bits);
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), POLL_MS);
  const images = await Promise.allSettled(Array.from({ length: 8 }, () => toModelImage(png)));
  clearInterval(timer);
  const growth = most - before;
  process.stdout.write(`${png.length} bytes, eight at once: ${Math.round(growth / 1e6)} MB\n`);
  expect(images.filter(({ status }) => status === "fulfilled")).toHaveLength(count);
  expect(growth).toBeLessThan(MAX_GROWTH_BYTES);
});
