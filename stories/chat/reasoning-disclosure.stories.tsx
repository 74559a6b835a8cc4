import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { ReasoningDisclosure } from "@/components/chat/reasoning-disclosure";

const part = {
  type: "reasoning" as const,
  text: "The **notes** come first.",
  started_at: "2026-03-12T12:00:00.000Z",
};

const meta = {
  component: ReasoningDisclosure,
  args: { part, streaming: false },
} satisfies Meta<typeof ReasoningDisclosure>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Streaming: Story = { args: { streaming: true } };
export const Done: Story = {
  args: { part: { ...part, completed_at: "2026-03-12T12:00:07.000Z" } },
};
export const CutShort: Story = {};
