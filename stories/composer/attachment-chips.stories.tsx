import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import AttachmentChips from "@/components/composer/attachment-chips";
import { showStates } from "../show-states";
import { FAILED, PHOTO, REPORT, SENDING, TABLE } from "./attachment-fixtures";

const meta = {
  component: AttachmentChips,
  args: { items: [PHOTO, REPORT], onRemove: fn(), onRetry: fn(), onMove: fn() },
} satisfies Meta<typeof AttachmentChips>;
export default meta;
type Story = StoryObj<typeof meta>;

const all: Story = { args: { items: [PHOTO, REPORT, TABLE, SENDING, FAILED] } };

export const States: Story = showStates(meta, {
  One: { args: { items: [PHOTO] } },
  Several: all,
  Sending: { args: { items: [SENDING] } },
  Failed: { args: { items: [FAILED] } },
  "Long name": { args: { items: [{ ...REPORT, name: `${"long ".repeat(30)}.pdf` }] } },
  Twenty: {
    args: {
      items: Array.from({ length: 20 }, (_, index) => ({ ...TABLE, key: String(index) })),
    },
  },
});

export const TestActions: Story = {
  name: "(Test) Files are removed, sent again, and moved within the list",
  ...all,
  play: async ({ args, canvas, userEvent }) => {
    const press = async (name: string): Promise<void> =>
      userEvent.click(canvas.getByRole("button", { name }));
    await press("Remove tides.png");
    await expect(args.onRemove).toHaveBeenCalledWith(PHOTO.key);
    await press("Cancel pier.jpg");
    await expect(args.onRemove).toHaveBeenCalledWith(SENDING.key);
    await press("Send IMG_2204.heic again");
    await expect(args.onRetry).toHaveBeenCalledWith(FAILED.key);
    await press("Move tides.csv left");
    await expect(args.onMove).toHaveBeenCalledWith(TABLE.key, -1);
    await expect(canvas.getByRole("button", { name: "Move tides.png left" })).toBeDisabled();
    await expect(canvas.getByRole("button", { name: "Move tides.csv right" })).toBeDisabled();
    await expect(canvas.getByRole("progressbar", { name: "Sending pier.jpg" })).toHaveValue(40);
  },
};
