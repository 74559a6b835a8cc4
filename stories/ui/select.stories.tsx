import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { Select } from "@/components/ui/select";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const meta = {
  component: Select,
  args: {
    label: "Model",
    onChange: fn(),
    options: [
      { value: "demo", label: "Demo" },
      { value: "large", label: "Large" },
      { value: "old", label: "Old", disabled: true },
    ],
  },
} satisfies Meta<typeof Select>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Filled: { args: { defaultValue: "large" } },
  "With error": { args: { error: "is no longer offered" } },
  Disabled: { args: { disabled: true } },
});

export const TestSelect: Story = {
  name: "(Test) Selecting an option calls onChange",
  play: async ({ args, canvas, userEvent }) => {
    const select = canvas.getByRole("combobox", { name: "Model" });
    await userEvent.selectOptions(select, "large");
    await expect(args.onChange).toHaveBeenCalledTimes(1);
    await expect(select).toHaveValue("large");
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Use it for more than seven options, or for few where there is little room.",
        example: (
          <Select
            label="Country"
            options={["Austria", "Belgium", "Croatia"].map((name) => ({
              value: name,
              label: name,
            }))}
            defaultValue="Austria"
          />
        ),
      },
    ],
    donts: [
      {
        text: "Do not hide two options in it.",
        example: (
          <Select
            label="Gift"
            options={[
              { value: "y", label: "Yes" },
              { value: "n", label: "No" },
            ]}
            defaultValue="n"
          />
        ),
      },
    ],
  }),
};
