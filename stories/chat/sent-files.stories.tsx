import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, waitFor } from "storybook/test";
import SentFiles from "@/components/chat/sent-files";
import type { FilePart } from "@/contract/part";
import { showStates } from "../show-states";
import { tidesCsv, tidesImage } from "../tool-cards/files";

type Stored = typeof tidesImage;
const toPart = ({ id, ...file }: Stored): FilePart => ({ type: "file", file_id: id, ...file });

const image: FilePart = { ...toPart(tidesImage), width: 320, height: 180 };
const table = toPart(tidesCsv);
const pdf: FilePart = {
  ...table,
  file_id: "pdf",
  name: "tides.pdf",
  media_type: "application/pdf",
};

const meta = {
  component: SentFiles,
  args: { files: [image, table] },
} satisfies Meta<typeof SentFiles>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  "Image and table": {
    play: async ({ canvas }) => {
      const shown = canvas.getByRole<HTMLImageElement>("img", { name: "tides.png" });
      await waitFor(() => expect(shown.naturalWidth).toBe(320));
      await expect(canvas.getByRole("link", { name: /tides\.csv/ })).toHaveAttribute(
        "download",
        "tides.csv",
      );
    },
  },
  Several: {
    args: { files: Array.from({ length: 6 }, (_, index) => ({ ...image, file_id: `${index}` })) },
  },
  "An image that could not be read": { args: { files: [toPart(tidesImage)] } },
  "No longer sent": {
    args: { files: [image, pdf, table], omittedIds: [image.file_id, pdf.file_id] },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("No longer sent to the model")).toBeVisible();
      await expect(canvas.getByText("Only its text is still sent")).toBeVisible();
    },
  },
  "Long name": { args: { files: [{ ...table, name: `${"long ".repeat(30)}.csv` }] } },
});
