import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Between its two colours a transition shows ones that no rule of contrast is meant for. */
const transitionsEnd = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const transitions = document.getAnimations().filter((each) => each instanceof CSSTransition);
    await Promise.allSettled(transitions.map(({ finished }) => finished));
  });

export const expectAccessible = async (page: Page): Promise<void> => {
  await transitionsEnd(page);
  const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
  const messages = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html).join("\n  ")}`,
  );
  expect(messages).toEqual([]);
};
