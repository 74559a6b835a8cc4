import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, waitFor } from "storybook/test";
import { DropTarget } from "@/components/composer/drop-target";

const meta = { component: DropTarget, args: { onDrop: fn() } } satisfies Meta<typeof DropTarget>;
export default meta;
type Story = StoryObj<typeof meta>;

const FILE = new File(["a,b"], "a.csv", { type: "text/csv" });

const createTransfer = (): DataTransfer => {
  const transfer = new DataTransfer();
  transfer.items.add(FILE);
  return transfer;
};

/** As the browser does: the library for tests would send it without what is dragged. */
const drag = (type: "dragover" | "dragleave" | "drop", dataTransfer = createTransfer()): boolean =>
  document.body.dispatchEvent(
    new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }),
  );

export const Open: Story = {
  play: async ({ canvas }) => {
    drag("dragover");
    await expect(await canvas.findByText(/Drop files to add them/)).toBeVisible();
  },
};

export const TestDrop: Story = {
  name: "(Test) Files that are dropped on the page are taken, and other things are not",
  play: async ({ args, canvas }) => {
    const text = new DataTransfer();
    text.setData("text/plain", "a");
    // The browser goes on with what is not prevented.
    await expect(drag("dragover", text)).toBe(true);
    await expect(canvas.queryByText(/Drop files/)).toBeNull();
    await expect(drag("dragover")).toBe(false);
    await canvas.findByText(/Drop files/);
    drag("dragleave");
    await waitFor(() => expect(canvas.queryByText(/Drop files/)).toBeNull());
    drag("dragover");
    await canvas.findByText(/Drop files/);
    await expect(drag("drop")).toBe(false);
    await waitFor(() => expect(canvas.queryByText(/Drop files/)).toBeNull());
    await expect(args.onDrop).toHaveBeenCalledTimes(1);
    await expect(args.onDrop).toHaveBeenCalledWith([FILE]);
  },
};
