import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { ItemRows } from "@/components/schema-form/item-rows";
import { TextField } from "@/components/ui/text-field";
import { showStates } from "../show-states";

const meta = {
  component: ItemRows,
  args: {
    count: 3,
    isOrdered: true,
    canAdd: true,
    disabled: false,
    onArrange: fn(),
    onAdd: fn(),
    children: (index) => <TextField label={`Berth ${index + 1}`} />,
  },
} satisfies Meta<typeof ItemRows>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Ordered: {},
  "Without an order": { args: { isOrdered: false } },
  "One item": { args: { count: 1 } },
  Empty: { args: { count: 0 } },
  Full: { args: { canAdd: false } },
  Disabled: { args: { disabled: true } },
});

export const TestArrange: Story = {
  name: "(Test) Items are arranged by their places",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Move item 1 down" }));
    await expect(args.onArrange).toHaveBeenLastCalledWith([1, 0, 2]);
    await userEvent.click(canvas.getByRole("button", { name: "Remove item 2" }));
    await expect(args.onArrange).toHaveBeenLastCalledWith([0, 2]);
    await userEvent.click(canvas.getByRole("button", { name: "Add another" }));
    await expect(args.onAdd).toHaveBeenCalledOnce();
  },
};
