import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { MentionIcon } from "@/components/composer/mention-icon";

const meta = { component: MentionIcon, args: { kind: "tool" } } satisfies Meta<typeof MentionIcon>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Tool: Story = {};
export const Group: Story = { args: { kind: "group" } };
export const Prompt: Story = { args: { kind: "prompt" } };
export const Resource: Story = { args: { kind: "resource" } };
