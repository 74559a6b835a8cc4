import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { Kbd } from "@/components/ui/kbd";

const meta = { component: Kbd, args: { children: "Enter" } } satisfies Meta<typeof Kbd>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Key: Story = {};
