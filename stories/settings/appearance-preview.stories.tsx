import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { AppearancePreview } from "@/components/settings/appearance-preview";

const meta = {
  component: AppearancePreview,
  args: { theme: undefined, density: "comfortable" },
} satisfies Meta<typeof AppearancePreview>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Comfortable: Story = {};
export const Compact: Story = { args: { density: "compact" } };
export const Light: Story = { args: { theme: "light" } };
export const Dark: Story = { args: { theme: "dark" } };

export const TestHidden: Story = {
  name: "(Test) A picture has its own theme and is not read aloud",
  ...Dark,
  play: async ({ canvasElement }) => {
    const picture = canvasElement.querySelector("[data-theme]");
    await expect(picture).toHaveAttribute("aria-hidden", "true");
    await expect(picture).toHaveStyle({ backgroundColor: "rgb(17, 20, 20)" });
  },
};
