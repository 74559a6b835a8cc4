import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { FileChip } from "@/components/ui/file-link";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";
import { tidesCsv, tidesImage } from "../tool-cards/files";

const meta = { component: FileChip, args: { file: tidesCsv } } satisfies Meta<typeof FileChip>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  "A table, which is downloaded": {
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("link")).toHaveAttribute("download", "tides.csv");
    },
  },
  "An image, which is shown": {
    args: { file: tidesImage },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("link")).not.toHaveAttribute("download");
    },
  },
  "Long name": { args: { file: { ...tidesCsv, name: `${"long ".repeat(40)}.csv` } } },
});

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [{ text: "Use it for each file that is not shown itself." }],
    donts: [{ text: "Do not link a file of another server." }],
  }),
};
