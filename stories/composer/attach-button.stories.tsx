import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { AttachButton } from "@/components/composer/attach-button";
import { showStates } from "../show-states";

const meta = {
  component: AttachButton,
  args: { onAdd: fn(), disabled: false },
} satisfies Meta<typeof AttachButton>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Default: {},
  Disabled: { args: { disabled: true } },
});

export const TestAdd: Story = {
  name: "(Test) Chosen files are added, the same one again, too",
  play: async ({ args, canvasElement, userEvent }) => {
    const input = canvasElement.querySelector<HTMLInputElement>("input:not([accept])");
    if (!input) throw new Error("there is no field for files");
    const file = new File(["a,b"], "a.csv", { type: "text/csv" });
    await userEvent.upload(input, file);
    await userEvent.upload(input, file);
    await expect(args.onAdd).toHaveBeenCalledTimes(2);
    await expect(args.onAdd).toHaveBeenLastCalledWith([file]);
  },
};
