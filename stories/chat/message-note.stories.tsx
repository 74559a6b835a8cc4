import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { MessageNote } from "@/components/chat/message-note";
import { FinishReason } from "@/contract/message";
import { assistantMessage, text, userMessage } from "./fixtures";

const ended = (finish_reason: FinishReason) =>
  assistantMessage(2, [text("It is")], { finish_reason });

const meta = {
  component: MessageNote,
  args: { message: ended("interrupted") },
} satisfies Meta<typeof MessageNote>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Interrupted: Story = {};
export const StepLimit: Story = { args: { message: ended("step-limit") } };
export const CutOff: Story = { args: { message: ended("length") } };
export const Filtered: Story = { args: { message: ended("content-filter") } };
export const EndedByItself: Story = { args: { message: ended("stop") } };
export const Streaming: Story = {
  args: { message: { ...userMessage(2, "It is"), role: "assistant", preview: true } },
};

const NOTES: Partial<Record<FinishReason, string>> = {
  interrupted: "Interrupted. What was written so far is kept.",
  "step-limit": "Stopped at this chat’s step limit. Send a message to go on.",
  length: "Cut off at the model’s output limit.",
  "content-filter": "The provider’s content filter ended this answer.",
};

export const TestNotes: Story = {
  name: "(Test) Every early end says why, every other end says nothing",
  render: () => (
    <ul>
      {FinishReason.options.map((reason) => (
        <li key={reason} aria-label={reason}>
          <MessageNote message={ended(reason)} />
        </li>
      ))}
    </ul>
  ),
  play: async ({ canvas }) => {
    for (const reason of FinishReason.options) {
      const place = canvas.getByRole("listitem", { name: reason });
      await expect(place.textContent).toBe(NOTES[reason] ?? "");
    }
  },
};

export const TestInterruptedLate: Story = {
  name: "(Test) An interrupt is told whatever the model said of its end",
  args: { message: { ...ended("stop"), interrupted: true } },
  play: async ({ canvas }) => {
    await expect(canvas.getByText(/^Interrupted\./)).toBeVisible();
  },
};

export const TestStreaming: Story = {
  name: "(Test) A message that has not ended has no note",
  ...Streaming,
  play: async ({ canvas }) => {
    await expect(canvas.queryByText(/./)).toBeNull();
  },
};
