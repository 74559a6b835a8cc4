import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { MethodBadge } from "@/components/docs/method-badge";
import { showStates } from "../show-states";

const meta = { component: MethodBadge, args: { method: "GET" } } satisfies Meta<typeof MethodBadge>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Get: {},
  Post: { args: { method: "POST" } },
  Delete: { args: { method: "DELETE" } },
});
