import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { AppearancePreview } from "@/components/appearance/appearance-preview";
import { showStates } from "../show-states";

const meta = {
  component: AppearancePreview,
  args: { theme: undefined, density: "comfortable" },
} satisfies Meta<typeof AppearancePreview>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Comfortable: {},
  Compact: { args: { density: "compact" } },
  Light: { args: { theme: "light" } },
  "A picture has its own theme and is not read aloud": {
    args: { theme: "dark" },
    play: async ({ canvasElement }) => {
      const picture = canvasElement.querySelector("[data-theme]");
      await expect(picture).toHaveAttribute("aria-hidden", "true");
      await expect(picture).toHaveStyle({ backgroundColor: "rgb(17, 20, 20)" });
    },
  },
});
