import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { ArtifactLinks } from "@/components/tool-cards/artifact-links";
import { showStates } from "../show-states";

const chart = { id: "a1", name: "chart.png", media_type: "image/png", size: 812_000 };
const tides = { id: "a2", name: "tides.csv", media_type: "text/csv", size: 2_100 };
const drawing = { id: "a3", name: "drawing.svg", media_type: "image/svg+xml", size: 300 };

const meta = {
  component: ArtifactLinks,
  args: { artifacts: [chart, tides, drawing] },
} satisfies Meta<typeof ArtifactLinks>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Several: {},
  "Images of pixels open in a new tab, all other files are downloaded": {
    play: async ({ canvas }) => {
      const links = canvas.getAllByRole("link");
      await expect(links.map((link) => link.textContent)).toEqual([
        "chart.png793 KB",
        "tides.csv2.1 KB",
        "drawing.svg300 B",
      ]);
      await expect(links.map((link) => link.getAttribute("href"))).toEqual(
        ["a1", "a2", "a3"].map((id) => `/api/v1/files/${id}`),
      );
      await expect(links.map((link) => link.getAttribute("target"))).toEqual([
        "_blank",
        null,
        null,
      ]);
      await expect(links.map((link) => link.getAttribute("download"))).toEqual([
        null,
        "tides.csv",
        "drawing.svg",
      ]);
    },
  },
});

/** A long name is shown whole, within a phone's width. */
export const LongName: Story = {
  args: { artifacts: [{ ...tides, name: `${"tides-of-".repeat(20)}oban.csv` }] },
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvas, canvasElement }) => {
    const name = canvas.getByText(/oban\.csv$/);
    await expect(name.scrollWidth).toBeLessThanOrEqual(name.clientWidth);
    await expect(canvas.getByText("2.1 KB")).toBeVisible();
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};
