import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { FileImage } from "@/components/ui/file-image";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const meta = {
  component: FileImage,
  args: { url: "/api/v1/files/tides.png", name: "tides.png" },
} satisfies Meta<typeof FileImage>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  "Shown in its size": {
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("link")).toHaveAttribute("href", "/api/v1/files/tides.png");
      await expect(canvas.getByRole("img", { name: "tides.png" })).toBeVisible();
    },
  },
});

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      { text: "Give the name of the file: it is the text for those who do not see the image." },
    ],
    donts: [{ text: "Do not show an image of another server: only files of the chat are shown." }],
  }),
};
