import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { OnlyValue } from "@/components/forms/only-value";
import { LONG_WORD, LONG_WORDS } from "./schema-piece";

const meta = {
  component: OnlyValue,
  args: { label: "Version", hint: undefined, value: "2" },
} satisfies Meta<typeof OnlyValue>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Plain: Story = {};
export const WithHint: Story = { args: { hint: "Of the format." } };
export const LongWords: Story = {
  args: { label: LONG_WORDS, hint: LONG_WORD, value: LONG_WORD },
  globals: { viewport: { value: "mobile1" } },
};

export const TestText: Story = {
  name: "(Test) The value can be read with its name, and is no control",
  ...WithHint,
  play: async ({ canvas }) => {
    await expect(canvas.getByText("Version").parentElement).toHaveTextContent(/^Version 2$/);
    await expect(canvas.getByText("Of the format.")).toBeVisible();
    await expect(canvas.queryByRole("textbox")).toBeNull();
  },
};

export const TestLongWords: Story = {
  ...LongWords,
  name: "(Test) Long words stay within the page",
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};
