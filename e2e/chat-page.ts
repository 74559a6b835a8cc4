import type { Page } from "@playwright/test";

/** The parts of a chat's page, by what people call them. */
export const chatPage = (page: Page) => {
  const log = page.getByRole("log", { name: "Messages" });
  return {
    log,
    message: page.getByRole("textbox", { name: "Message" }),
    send: page.getByRole("button", { name: "Send", exact: true }),
    stop: page.getByRole("button", { name: "Stop", exact: true }),
    /** What the assistant has said, step by step. */
    answers: log.getByRole("article", { name: "Assistant" }),
    questions: log.getByRole("article", { name: "You" }),
    chats: page.getByRole("navigation", { name: "Chats" }),
    open: (chatId: string) => page.goto(`/chats/${chatId}`),
    /** Starts a chat from the first page. @returns its id, once its page is there. */
    start: async (text: string): Promise<string> => {
      await page.goto("/");
      await page.getByRole("textbox", { name: "Message" }).fill(text);
      await page.getByRole("button", { name: "Send", exact: true }).click();
      await page.waitForURL(/\/chats\/[0-9a-f-]{36}$/);
      return page.url().split("/").at(-1) ?? "";
    },
    say: async (text: string): Promise<void> => {
      await page.getByRole("textbox", { name: "Message" }).fill(text);
      await page.getByRole("button", { name: "Send", exact: true }).click();
    },
  };
};

/** A tool that a client declares, with an answer that a form can be made of. */
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

/** One batch of a built-in call and a dynamic one. */
export const MIXED_BATCH =
  'use check_order with {"order":"A-17"} and write_file with {"path":"a.txt","content":"hi"}';
