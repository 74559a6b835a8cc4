import { beforeEach, expect, it, vi } from "vitest";
import type { Database } from "@/server/db/connection/database";
import { createSettingCaches } from "./setting-caches";

const EXPIRED_MS = 6_000;
const row = (time: number) => ({
  name: "one",
  updatedAt: new Date(time),
  declaration: {
    name: "one",
    description: "x",
    parameters: { type: "object" },
    example: {},
    steps: [["true"]],
  },
});

let stored = [row(1)];
/** Whether each read was one of declarations. */
let reads: boolean[] = [];
const findMany = ({ select }: { select?: object }) => {
  reads.push(select === undefined);
  return Promise.resolve(stored);
};

beforeEach(() => {
  [stored, reads] = [[row(1)], []];
  vi.useFakeTimers({ toFake: ["performance"] });
  return () => vi.useRealTimers();
});

it("reads declarations again only after a change", async () => {
  const db = { prisma: { recipe: { findMany } } } as unknown as Database;
  const { recipes } = createSettingCaches(db);
  const first = await recipes.get();
  expect(first).toMatchObject([{ name: "one" }]);
  expect(reads).toEqual([false, true]);
  vi.advanceTimersByTime(EXPIRED_MS);
  expect(await recipes.get()).toBe(first);
  expect(reads).toEqual([false, true, false]);
  stored = [row(2)];
  vi.advanceTimersByTime(EXPIRED_MS);
  expect(await recipes.get()).toMatchObject([{ updatedAt: new Date(2) }]);
  expect(reads).toEqual([false, true, false, false, true]);
});
