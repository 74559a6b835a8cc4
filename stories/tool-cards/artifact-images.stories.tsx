import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, waitFor } from "storybook/test";
import { ArtifactImages } from "@/components/tool-cards/artifact-images";
import { showStates } from "../show-states";
import { tidesCsv, tidesImage } from "./files";

const meta = {
  component: ArtifactImages,
  args: { artifacts: [tidesImage, tidesCsv] },
} satisfies Meta<typeof ArtifactImages>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  "Image and table": {},
  "Shows the image by its name, with a link to it, and no other file": {
    play: async ({ canvas }) => {
      const image = canvas.getByRole<HTMLImageElement>("img", { name: "tides.png" });
      await waitFor(() => expect(image.naturalWidth).toBe(320));
      await expect(canvas.getAllByRole("link")).toHaveLength(1);
      await expect(canvas.getByRole("link")).toHaveAttribute("href", "/api/v1/files/tides.png");
    },
  },
});
