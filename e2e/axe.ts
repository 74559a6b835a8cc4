import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Between its two colours a transition shows ones that no rule of contrast is meant for. */
const transitionsEnd = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const transitions = document.getAnimations().filter((each) => each instanceof CSSTransition);
    await Promise.allSettled(transitions.map(({ finished }) => finished));
  });

/** Reads a page with violations again, as a transition may have begun while it was read. */
const listViolations = async (page: Page, builder: AxeBuilder): Promise<string[]> => {
  await transitionsEnd(page);
  let { violations } = await builder.analyze();
  if (violations.length > 0) {
    await transitionsEnd(page);
    ({ violations } = await builder.analyze());
  }
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html).join("\n  ")}`,
  );
};

/** Expects that a page is accessible in its theme. */
export const expectAccessible = async (page: Page): Promise<void> =>
  expect(await listViolations(page, new AxeBuilder({ page }).withTags(TAGS))).toEqual([]);

/** Expects that a page is accessible, with the colors of either theme. */
export const expectAccessibleInThemes = async (page: Page): Promise<void> => {
  await expectAccessible(page);
  // All other rules are about what the themes share.
  await page.emulateMedia({ colorScheme: "dark" });
  const contrast = new AxeBuilder({ page }).withRules(["color-contrast"]);
  expect(await listViolations(page, contrast)).toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
};
