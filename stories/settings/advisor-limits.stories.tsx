import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { AdvisorLimits } from "@/components/settings/advisor-limits";

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

export const Limits: Story = {};
export const Empty: Story = { args: { draft: { uses: "", tokens: "" } } };
export const NeverOffered: Story = { args: { draft: { uses: "-1", tokens: "0" } } };
export const Refused: Story = {
  args: {
    draft: { uses: "many", tokens: "128001" },
    problems: { uses: "Enter a whole number, 0 or more.", tokens: "Enter at most 128,000." },
  },
};
export const Narrow: Story = {
  args: { ...Refused.args, draft: { uses: "9".repeat(60), tokens: "9".repeat(60) } },
  globals: { viewport: { value: "mobile1" } },
};

export const TestChange: Story = {
  name: "(Test) Each limit tells its own change, as it was typed",
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

export const TestHints: Story = {
  name: "(Test) What 0 stands for is said at each limit",
  play: async ({ canvas }) => {
    await expect(uses(canvas)).toHaveAccessibleDescription("0 is without a limit.");
    await expect(tokens(canvas)).toHaveAccessibleDescription("0 is the default of 16,384.");
  },
};

export const TestNeverOffered: Story = {
  name: "(Test) Below 0 the hint says what that does",
  args: { draft: { uses: " -1", tokens: "0" } },
  play: async ({ canvas }) => {
    await expect(uses(canvas)).toHaveAccessibleDescription("Below 0 the advisor is never offered.");
  },
};

export const TestRefused: Story = {
  name: "(Test) What is wrong is at its own limit, after the hint",
  ...Refused,
  args: { ...Refused.args, problems: { uses: undefined, tokens: "Enter at most 128,000." } },
  play: async ({ canvas }) => {
    await expect(uses(canvas)).toBeValid();
    await expect(tokens(canvas)).toBeInvalid();
    await expect(tokens(canvas)).toHaveAccessibleDescription(
      "0 is the default of 16,384. Enter at most 128,000.",
    );
  },
};

export const TestNarrow: Story = {
  name: "(Test) On a phone the limits stand below each other",
  ...Narrow,
  play: async ({ canvas, canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
    await expect(tokens(canvas).getBoundingClientRect().top).toBeGreaterThan(
      uses(canvas).getBoundingClientRect().bottom,
    );
  },
};
