import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import SummaryMessage from "@/components/chat/summary-message";
import type { MessageView } from "@/contract/chat-view";
import type { SummaryPart } from "@/contract/part";
import { showStates } from "../show-states";
import { text } from "./fixtures";

const SUMMARY = `- The person wants a tide table of **Brest** for the next week, in local time.
- \`notes/tides.md\` has the harmonic constants; the first script failed as \`numpy\` is missing.
- Next: write the table with the standard library alone.`;

const summary: SummaryPart = {
  type: "summary",
  reason: "automatic",
  kept: [],
  tokens_before: 162_400,
  tokens_after: 9_100,
};
const getMessage = (changes: Partial<SummaryPart> = {}): Pick<MessageView, "parts" | "model"> => ({
  parts: [{ ...summary, ...changes }, text(SUMMARY)],
  model: "anthropic/claude-sonnet-4-5",
});
const CLEARED = { parts: [{ ...summary, reason: "cleared" as const, tokens_after: 0 }] };

const meta = {
  component: SummaryMessage,
  args: { message: getMessage(), onUndo: fn() as (() => void) | undefined },
} satisfies Meta<typeof SummaryMessage>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  "The boundary says what the model reads, and how much shorter that is": {
    play: async ({ canvas }) => {
      const article = canvas.getByRole("article", {
        name: "Summed up, as the context was nearly full",
      });
      await expect(article).toHaveTextContent("162K → 9.1K tokens");
      await expect(article).toHaveTextContent(
        "The model reads the summary in place of what is above.",
      );
      await expect(canvas.getByRole("button", { name: "Undo" })).toBeVisible();
    },
  },
  "Requested, with what to keep": {
    args: { message: getMessage({ reason: "requested", instructions: "the constants" }) },
  },
  "Messages that the model still reads are counted": {
    args: { message: getMessage({ reason: "overflow", kept: [41, 42] }) },
    play: async ({ canvas }) => {
      await expect(canvas.getByText(/but for 2 messages/)).toBeVisible();
    },
  },
  "A cleared context has no summary": {
    args: { message: CLEARED },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("article", { name: "Context cleared" })).toBeVisible();
      await expect(canvas.queryByRole("button", { name: "Show the summary" })).toBeNull();
    },
  },
  "An older boundary cannot be removed": {
    args: { onUndo: undefined },
    play: async ({ canvas }) => {
      await expect(canvas.queryByRole("button", { name: "Undo" })).toBeNull();
    },
  },
});

export const TestSummary: Story = {
  name: "(Test) The summary is folded, opens by keyboard, and can be undone",
  play: async ({ args, canvas, userEvent }) => {
    const toggle = canvas.getByRole("button", { name: "Show the summary" });
    await expect(toggle).toHaveAttribute("aria-expanded", "false");
    toggle.focus();
    await userEvent.keyboard("{Enter}");
    await expect(await canvas.findByText(/tide table of/)).toBeVisible();
    await expect(canvas.getByText("Written by anthropic/claude-sonnet-4-5")).toBeVisible();
    await userEvent.click(canvas.getByRole("button", { name: "Hide the summary" }));
    await expect(canvas.getByText(/tide table of/)).not.toBeVisible();
    await userEvent.click(canvas.getByRole("button", { name: "Undo" }));
    await expect(args.onUndo).toHaveBeenCalledOnce();
  },
};
