import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { SecretValues } from "@/components/schema-form/secret-values";
import { showStates } from "../show-states";

const meta = {
  component: SecretValues,
  args: {
    label: "Secret headers",
    hint: "Stored encrypted, and never shown again.",
    storedNames: ["Authorization"],
    value: undefined,
    error: undefined,
    onChange: fn(),
  },
} satisfies Meta<typeof SecretValues>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Filled: {},
  Empty: { args: { storedNames: [] } },
  "With error": { args: { error: "Enter Authorization again." } },
});

export const TestChanges: Story = {
  name: "(Test) What is stored stays until it is replaced or removed",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Add a secret" }));
    await expect(canvas.getByRole("textbox", { name: "Name" })).toHaveFocus();
    await userEvent.keyboard("X-Key");
    await userEvent.type(canvas.getByLabelText("Value"), "abc");
    await expect(args.onChange).toHaveBeenLastCalledWith({ "X-Key": "abc" });
    await userEvent.type(canvas.getByLabelText("New value of Authorization"), "n");
    await expect(args.onChange).toHaveBeenLastCalledWith({ "X-Key": "abc", Authorization: "n" });
    await userEvent.click(canvas.getByRole("button", { name: "Remove Authorization" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({ "X-Key": "abc", Authorization: null });
    await userEvent.click(canvas.getByRole("button", { name: "Remove X-Key" }));
    await expect(args.onChange).toHaveBeenLastCalledWith({ Authorization: null });
  },
};
