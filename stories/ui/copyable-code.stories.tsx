import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, spyOn } from "storybook/test";
import { CopyableCode } from "@/components/ui/copyable-code";
import { showRules } from "../show-rules";

const meta = {
  component: CopyableCode,
  args: { code: "npm start", copyLabel: "Copy command" },
} satisfies Meta<typeof CopyableCode>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Short: Story = {};
export const Long: Story = {
  args: { code: `parley_${"x".repeat(300)}`, copyLabel: "Copy key" },
  globals: { viewport: { value: "mobile1" } },
};

export const TestCopy: Story = {
  name: "(Test) The button copies the whole code",
  ...Long,
  play: async ({ args, canvas, userEvent }) => {
    const write = spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    await userEvent.click(canvas.getByRole("button", { name: "Copy key" }));
    await expect(write).toHaveBeenCalledWith(args.code);
    write.mockRestore();
  },
};

export const TestLong: Story = {
  name: "(Test) Long code wraps and is shown in full",
  ...Long,
  play: async ({ args, canvas, canvasElement }) => {
    await expect(canvas.getByText(args.code)).toBeVisible();
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Show a command or a key in full, so that it can be compared.",
        example: <CopyableCode code="npm start -- --port 3000" copyLabel="Copy command" />,
      },
    ],
    donts: [
      {
        text: "Do not shorten what is copied.",
        example: <CopyableCode code="parley_q7Tz…" copyLabel="Copy key" />,
      },
    ],
  }),
};
