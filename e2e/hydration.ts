import { expect, type Locator } from "@playwright/test";

/** Waits until React handles the events of an element that the server has rendered. */
export const waitForHydration = (target: Locator): Promise<void> =>
  expect
    .poll(() =>
      target.evaluate((element) =>
        Object.keys(element).some((name) => name.startsWith("__reactProps$")),
      ),
    )
    .toBe(true);
