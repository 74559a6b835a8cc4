import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { AssistantMessage } from "@/components/chat/assistant-message";
import { showStates } from "../show-states";
import { assistantMessage, CONVERSATION, NOW, reasoning, text, toolCall } from "./fixtures";

const answer = assistantMessage(2, [text("It is **noon**.")]);

const meta = {
  component: AssistantMessage,
  args: { place: {}, message: answer, isTurnEnd: true, onRegenerate: fn(), now: NOW },
} satisfies Meta<typeof AssistantMessage>;
export default meta;
type Story = StoryObj<typeof meta>;

const reasoningState: Story = {
  args: {
    message: assistantMessage(2, [reasoning("Noon is when the sun is highest."), text("Noon.")]),
  },
};
const stepLimit: Story = {
  args: { message: assistantMessage(2, [toolCall("read_file")], { finish_reason: "step-limit" }) },
};

export const States: Story = showStates(meta, {
  Completed: {},
  "With tools": { args: { message: CONVERSATION[1] ?? answer, isTurnEnd: false } },
  "Sources are a list of safe links": {
    args: { message: CONVERSATION[2] ?? answer },
    play: async ({ canvas }) => {
      const link = await canvas.findByRole("link", { name: /Tide tables: Oban/ });
      await expect(link).toHaveAttribute("rel", "noopener noreferrer");
      await expect(canvas.getByRole("link", { name: "forecast.example" })).toBeVisible();
    },
  },
  Streaming: { args: { message: { ...answer, parts: [text("It is **no")], preview: true } } },
  Reasoning: reasoningState,
  "Streaming, reasoning": {
    args: {
      message: {
        ...answer,
        preview: true,
        parts: [{ type: "reasoning", text: "Noon is", started_at: "2026-03-12T12:00:00.000Z" }],
      },
    },
  },
  "Interrupted: a note and the text are shown": {
    args: {
      message: {
        ...answer,
        parts: [text("It is")],
        interrupted: true,
        finish_reason: "interrupted",
      },
    },
    play: async ({ canvas }) => {
      await expect(await canvas.findByText(/^Interrupted\./)).toBeVisible();
      await expect(await canvas.findByText("It is")).toBeVisible();
    },
  },
  "Step limit": stepLimit,
  "Cut off": { args: { message: { ...answer, finish_reason: "length" } } },
  Filtered: { args: { message: { ...answer, parts: [], finish_reason: "content-filter" } } },
});

export const TestReasoning: Story = {
  name: "(Test) Reasoning is collapsed until it is clicked",
  ...reasoningState,
  play: async ({ canvas, userEvent }) => {
    await expect(canvas.queryByText(/sun is highest/)).toBeNull();
    await userEvent.click(canvas.getByRole("button", { name: "Reasoned for 7.0s" }));
    await expect(await canvas.findByText(/sun is highest/)).toBeVisible();
  },
};

export const TestNoCopyAfterTool: Story = {
  name: "(Test) An answer that ends with a tool call has no Copy button",
  ...stepLimit,
  play: async ({ canvas }) => {
    await expect(canvas.queryByRole("button", { name: "Copy answer" })).toBeNull();
    await expect(canvas.getByText(/step limit/)).toBeVisible();
  },
};
