import type { Page } from "@playwright/test";
import { waitForHydration } from "./hydration";

/** Locators and actions of the page of a chat. */
export const chatPage = (page: Page) => {
  const log = page.getByRole("log", { name: "Messages" });
  /** The lines of turns, which open and close their work. */
  const workLines = log.getByRole("button", { name: /^Work(ed|ing) / });
  return {
    log,
    workLines,
    /** Opens the work of the last turn, which is folded if the turn was over when the page was opened. */
    openWork: async (): Promise<void> => {
      const line = workLines.last();
      await waitForHydration(line);
      if ((await line.getAttribute("aria-expanded")) === "false") await line.click();
    },
    message: page.getByRole("textbox", { name: "Message" }),
    send: page.getByRole("button", { name: "Send", exact: true }),
    stop: page.getByRole("button", { name: "Stop", exact: true }),
    /** One per step. */
    answers: log.getByRole("article", { name: "Assistant" }),
    userMessages: log.getByRole("article", { name: "You" }),
    chatList: page.getByRole("navigation", { name: "Chats" }),
    openChat: (chatId: string) => page.goto(`/chats/${chatId}`),
    /** Starts a chat from the home page. @returns its id when its page is open. */
    startChat: async (text: string): Promise<string> => {
      await page.goto("/");
      await page.getByRole("textbox", { name: "Message" }).fill(text);
      await page.getByRole("button", { name: "Send", exact: true }).click();
      await page.waitForURL(/\/chats\/[0-9a-f-]{36}$/);
      return page.url().split("/").at(-1) ?? "";
    },
    sendMessage: async (text: string): Promise<void> => {
      await page.getByRole("textbox", { name: "Message" }).fill(text);
      await page.getByRole("button", { name: "Send", exact: true }).click();
    },
  };
};

/** A dynamic tool with an output schema that has a form. */
export const ORDER_TOOL = {
  name: "check_order",
  description: "Looks an order up in the shop.",
  input_schema: {
    type: "object",
    properties: { order: { type: "string" } },
    required: ["order"],
  },
  output_schema: {
    type: "object",
    properties: {
      shipped: { type: "boolean", title: "Shipped" },
      days: { type: "integer", title: "Days" },
      note: { type: "string", title: "Note" },
    },
    required: ["days"],
  },
};

/** A step with a built-in and a dynamic call. */
export const MIXED_BATCH =
  'use check_order with {"order":"A-17"} and write_file with {"path":"a.txt","content":"hi"}';
