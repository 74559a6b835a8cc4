import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { FieldList, VariantList } from "@/components/docs/field-list";
import { showStates } from "../show-states";
import { CONTENT, MAX_STEPS, RESULTS, VARIANTS } from "./fixtures";

const meta = {
  component: FieldList,
  args: { fields: [CONTENT, MAX_STEPS, RESULTS], onNavigate: fn() },
} satisfies Meta<typeof FieldList>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Fields: {},
  "Required fields, limits and nested fields are named": {
    play: async ({ canvas }) => {
      await expect(canvas.getAllByText("required")).toHaveLength(2);
      await expect(canvas.getByText("1 to 1,000, default 20.")).toBeVisible();
      await expect(canvas.getByText("tool_call_id")).toBeVisible();
    },
  },
});

export const Alternatives: Story = {
  render: ({ onNavigate }) => <VariantList variants={VARIANTS} onNavigate={onNavigate} />,
};
export const Narrow: Story = {
  args: { fields: [{ ...CONTENT, name: "a_very_long_name_".repeat(8) }] },
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};

export const TestLink: Story = {
  name: "(Test) The name of a schema leads to it",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("link", { name: "ContentInput" }));
    await expect(args.onNavigate).toHaveBeenCalledWith("/docs/schemas/ContentInput");
  },
};
