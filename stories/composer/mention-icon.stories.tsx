import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { MentionIcon } from "@/components/composer/mention-icon";
import { showStates } from "../show-states";

const meta = { component: MentionIcon, args: { kind: "tool" } } satisfies Meta<typeof MentionIcon>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Tool: {},
  Group: { args: { kind: "group" } },
  Prompt: { args: { kind: "prompt" } },
  Resource: { args: { kind: "resource" } },
  "Command of the chat": { args: { kind: "chat" } },
});
