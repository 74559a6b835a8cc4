import type { Locator } from "@playwright/test";
import { startStubServer } from "@/test/stub-server";
import {
  anthropicAnswer,
  anthropicCall,
  anthropicSearchResult,
  anthropicText,
  endAnswer,
} from "@/test/provider-events";
import { expectAccessible } from "./axe";
import { chatPage } from "./chat-page";
import { expect, test } from "./fixtures";
import { waitForHydration } from "./hydration";
import { createTabTo } from "./tab-to";

/** Starts a server that searches when it is offered a search. */
const startProvider = () =>
  startStubServer((response, { text }) => {
    const search = { id: "srvtoolu_1", name: "web_search", input: { query: "tides in Oban" } };
    endAnswer(
      response,
      text.includes("web_search_20250305")
        ? anthropicAnswer([
            anthropicCall("server_tool_use", search),
            anthropicSearchResult("srvtoolu_1"),
            anthropicText("High water is at noon."),
          ])
        : anthropicAnswer([anthropicText("I do not know the tides.")]),
    );
  });

/** A card is replaced while its parts load, and a key that is pressed at that moment is lost. */
const unfold = (button: Locator): Promise<void> =>
  expect(async () => {
    if ((await button.getAttribute("aria-expanded")) !== "true") await button.press("Enter");
    await expect(button).toHaveAttribute("aria-expanded", "true", { timeout: 1_000 });
  }).toPass();

for (const width of [1280, 390]) {
  test(`a search that the provider runs is shown with its sources, and switched off by keyboard, at ${width} px`, async ({
    page,
    api,
  }) => {
    const provider = await startProvider();
    const { body } = await api.request("POST /models", {
      provider: "anthropic",
      model: `claude-sonnet-4-5-at-${width}`,
      name: `Claude at ${width}`,
      base_url: `${provider.url}/v1`,
      api_key: "test-key-of-mine",
      provider_tools: ["web_search", "code_execution"],
    });
    const { id: model_id } = body as { id: string };
    try {
      await page.setViewportSize({ width, height: 800 });
      const { id } = await api.createChat({ content: "When is high water?", model_id });
      await api.waitForStatus(id);
      const { message, log, answers, openChat } = chatPage(page);
      await openChat(id);
      await waitForHydration(message);
      // The turn was over when the chat was opened.
      await unfold(log.getByRole("button", { name: /^Worked/ }));
      const card = log.getByRole("button", { name: /Search the web/ });
      await expect(card).toContainText("tides in Oban");
      await unfold(card);
      await expect(log.getByText("Run by the provider of the model")).toBeVisible();
      await expect(log.getByRole("link", { name: /Tides in Oban/ }).first()).toHaveAttribute(
        "href",
        "https://tides.example/oban",
      );
      const sources = log.getByRole("region", { name: "Sources" });
      await expect(sources).toContainText("tides.example");
      expect(JSON.stringify(await api.history(id))).not.toContain("sealed-content");
      await expectAccessible(page);

      await message.focus();
      const button = page.getByRole("button", { name: /^Thinking/ });
      await expect(button).toHaveAccessibleName(/, 2 tools$/);
      await createTabTo(page)(button);
      await page.keyboard.press("Enter");
      const search = page.getByRole("switch", { name: "Web search" });
      await createTabTo(page)(search);
      await page.keyboard.press("Space");
      await expect(search).not.toBeChecked();
      await page.keyboard.press("Escape");
      await expect(button).toHaveAccessibleName(/, code execution$/);
      expect(await api.chat(id)).toMatchObject({ provider_tools: ["code_execution"] });
      await message.fill("And tomorrow?");
      await message.press("Enter");
      await expect(answers.last()).toContainText("I do not know the tides.");
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(overflow).toBe(0);
    } finally {
      await api.request(`DELETE /models/${model_id}`);
      await provider.close();
    }
  });
}
