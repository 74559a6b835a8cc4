import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import MessageNote from "@/components/chat/message-note";
import { FinishReason } from "@/contract/message";
import { showStates } from "../show-states";
import { assistantMessage, text, userMessage } from "./fixtures";

const createMessage = (finish_reason: FinishReason) =>
  assistantMessage(2, [text("It is")], { finish_reason });

const meta = {
  component: MessageNote,
  args: { message: createMessage("interrupted") },
} satisfies Meta<typeof MessageNote>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Interrupted: {},
  "Step limit": { args: { message: createMessage("step-limit") } },
  "Cut off": { args: { message: createMessage("length") } },
  Filtered: { args: { message: createMessage("content-filter") } },
  "Without its form": { args: { message: createMessage("invalid-format") } },
  Completed: { args: { message: createMessage("stop") } },
  "Streaming: there is no note": {
    args: { message: { ...userMessage(2, "It is"), role: "assistant", preview: true } },
    play: async ({ canvas }) => {
      await expect(canvas.queryByText(/./)).toBeNull();
    },
  },
  "Interrupted: noted regardless of the finish reason": {
    args: { message: { ...createMessage("stop"), interrupted: true } },
    play: async ({ canvas }) => {
      await expect(canvas.getByText(/^Interrupted\./)).toBeVisible();
    },
  },
});

const NOTES: Partial<Record<FinishReason, string>> = {
  interrupted: "Interrupted. What was written so far is kept.",
  "step-limit": "Stopped at this chat’s step limit. Send a message to go on.",
  "invalid-format": "The answer does not have the form that was asked for.",
  length: "Cut off at the model’s output limit.",
  "content-filter": "The provider’s content filter ended this answer.",
};

export const TestNotes: Story = {
  name: "(Test) Only an early end has a note",
  render: () => (
    <ul>
      {FinishReason.options.map((reason) => (
        <li key={reason} aria-label={reason}>
          <MessageNote message={createMessage(reason)} />
        </li>
      ))}
    </ul>
  ),
  play: async ({ canvas }) => {
    for (const reason of FinishReason.options) {
      const item = canvas.getByRole("listitem", { name: reason });
      await expect(item.textContent).toBe(NOTES[reason] ?? "");
    }
  },
};
