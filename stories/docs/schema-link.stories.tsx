import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { SchemaLink } from "@/components/docs/schema-link";

const meta = {
  component: SchemaLink,
  args: { name: "Problem", onNavigate: fn() },
} satisfies Meta<typeof SchemaLink>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Default: Story = {
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("link")).toHaveAttribute("href", "/docs/schemas/Problem");
  },
};
