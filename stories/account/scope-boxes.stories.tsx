import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { ScopeBoxes } from "@/components/account/scope-boxes";
import { showStates } from "../show-states";

const meta = {
  component: ScopeBoxes,
  args: { value: ["calls:answer"], onChange: fn(), error: undefined },
} satisfies Meta<typeof ScopeBoxes>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Filled: {},
  "With error": { args: { value: undefined, error: "Choose at least one." } },
});

export const TestOrder: Story = {
  name: "(Test) Scopes keep their order",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("checkbox", { name: "Read" }));
    await expect(args.onChange).toHaveBeenCalledWith(["read", "calls:answer"]);
  },
};
