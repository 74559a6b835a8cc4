import { expect, test } from "../fixtures";
import { createHostileChat, HOSTILE_ANSWERS } from "./hostile-answers";

test("an answer that takes too long to parse is shown as it is written", async ({ page, api }) => {
  for (const [index, answer] of HOSTILE_ANSWERS.entries()) {
    const id = await createHostileChat(api, answer);
    await page.goto(`/chats/${id}`);
    await expect(page.getByRole("heading", { name: `The end of ${index}` })).toBeVisible();
    await expect(page.locator("[data-message-text] strong")).toHaveCount(0);
    await expect(page.getByRole("log")).toContainText(answer.slice(0, 100));
  }
});

/** A browser lays these out in a time that grows with the square of their length, unless there are breaks in them. */
const SLOW_LINES = ["(a)b", "[a](", "[a][b]", "(a) ", "كتب عش", "(a)~~b~~", "[(a)](b)", "**@A**@A"];

test("a line of any length is laid out in pieces, in messages and answers", async ({
  page,
  api,
}) => {
  for (const part of SLOW_LINES) {
    const line = part.repeat(Math.ceil(40_000 / part.length));
    const id = await createHostileChat(api, line, line);
    await page.goto(`/chats/${id}`);
    const answer = page.getByRole("article", { name: "Assistant" });
    await expect(answer.locator("wbr").first()).toBeAttached();
    // What stands between two places for a break, whatever elements it is in.
    const longest = await page.locator("[data-message-text], .markdown p").evaluateAll((elements) =>
      elements.map((element) => {
        const html = element.innerHTML.replaceAll("<wbr>", "\0").replaceAll(/<[^>]*>/g, "");
        return Math.max(...html.split("\0").map(({ length }) => length));
      }),
    );
    expect(Math.max(...longest), part).toBeLessThanOrEqual(250);
  }
});
