import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { MethodBadge } from "@/components/docs/method-badge";

const meta = { component: MethodBadge, args: { method: "GET" } } satisfies Meta<typeof MethodBadge>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Get: Story = {};
export const Post: Story = { args: { method: "POST" } };
export const Delete: Story = { args: { method: "DELETE" } };
