import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { AdvisorLimits } from "@/components/settings/advisor-limits";
import { showStates } from "../show-states";

const meta = {
  component: AdvisorLimits,
  args: {
    draft: { uses: "3", tokens: "0" },
    onChange: fn(),
    problems: { uses: undefined, tokens: undefined },
  },
} satisfies Meta<typeof AdvisorLimits>;
export default meta;
type Story = StoryObj<typeof meta>;
type Canvas = Parameters<NonNullable<Story["play"]>>[0]["canvas"];

const uses = (canvas: Canvas) => canvas.getByRole("textbox", { name: "Uses per turn" });
const tokens = (canvas: Canvas) =>
  canvas.getByRole("textbox", { name: "Output tokens per advice" });

const invalid: Story = {
  args: {
    draft: { uses: "many", tokens: "128001" },
    problems: { uses: "Enter a whole number, 0 or more.", tokens: "Enter at most 128,000." },
  },
};

export const States: Story = showStates(meta, {
  Default: {},
  Empty: { args: { draft: { uses: "", tokens: "" } } },
  "Never offered": { args: { draft: { uses: "-1", tokens: "0" } } },
  Invalid: invalid,
  "An error describes its own field, after the hint": {
    ...invalid,
    args: { ...invalid.args, problems: { uses: undefined, tokens: "Enter at most 128,000." } },
    play: async ({ canvas }) => {
      await expect(uses(canvas)).toBeValid();
      await expect(tokens(canvas)).toBeInvalid();
      await expect(tokens(canvas)).toHaveAccessibleDescription(
        "Enter 0 for the default of 16,384. Enter at most 128,000.",
      );
    },
  },
  "The hints explain 0": {
    play: async ({ canvas }) => {
      await expect(uses(canvas)).toHaveAccessibleDescription("Enter 0 for no limit.");
      await expect(tokens(canvas)).toHaveAccessibleDescription(
        "Enter 0 for the default of 16,384.",
      );
    },
  },
  "The hint explains a negative number": {
    args: { draft: { uses: " -1", tokens: "0" } },
    play: async ({ canvas }) => {
      await expect(uses(canvas)).toHaveAccessibleDescription(
        "With a negative number the advisor is never offered.",
      );
    },
  },
});

export const TestChange: Story = {
  name: "(Test) Each field passes its text to onChange",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.type(uses(canvas), "x");
    await expect(args.onChange).toHaveBeenLastCalledWith({ uses: "3x" });
    await userEvent.tab();
    await expect(tokens(canvas)).toHaveFocus();
    await userEvent.keyboard("{End} ");
    await expect(args.onChange).toHaveBeenLastCalledWith({ tokens: "0 " });
    await expect(args.onChange).toHaveBeenCalledTimes(2);
  },
};

/** On a phone the fields are stacked. */
export const Narrow: Story = {
  args: { ...invalid.args, draft: { uses: "9".repeat(60), tokens: "9".repeat(60) } },
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvas, canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
    await expect(tokens(canvas).getBoundingClientRect().top).toBeGreaterThan(
      uses(canvas).getBoundingClientRect().bottom,
    );
  },
};
