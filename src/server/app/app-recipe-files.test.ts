import { expect, it, onTestFinished, vi } from "vitest";
import { createRecipeFiles } from "@/server/recipes/files/recipe-files";
import { watchRecipeFiles } from "./app-recipe-files";

/** Recipes of a folder that is never read. */
const createFiles = () => {
  const refresh = vi.fn(() => Promise.resolve());
  return { ...createRecipeFiles(undefined), folder: "recipes", refresh };
};

it("loads recipes when the process is ready, and not before", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const files = createFiles();
  const ready = Promise.withResolvers<undefined>();
  const watching = watchRecipeFiles(files, ready.promise);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(files.refresh).not.toHaveBeenCalled();

  ready.resolve(undefined);
  await watching;
  expect(files.refresh).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(files.refresh).toHaveBeenCalledTimes(2);
});
