import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { CodeSample } from "@/components/ui/code-sample";
import { showRules } from "../show-rules";

const meta = {
  component: CodeSample,
  args: {
    label: "Shell script",
    code: "curl http://127.0.0.1:3000/healthz",
    copyLabel: "Copy code",
  },
} satisfies Meta<typeof CodeSample>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Short: Story = {};
export const LongLine: Story = {
  args: { code: "curl ".repeat(60) },
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvas, canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
    // The button is not on top of the code.
    const code = canvas.getByRole("region").getBoundingClientRect();
    const copy = canvas.getByRole("button").getBoundingClientRect();
    await expect(code.right).toBeLessThanOrEqual(copy.left);
  },
};

export const TestKeyboard: Story = {
  name: "(Test) The keyboard reaches the code, which can scroll, and the button",
  play: async ({ canvas, userEvent }) => {
    await userEvent.tab();
    await expect(canvas.getByRole("region", { name: "Shell script" })).toHaveFocus();
    await userEvent.tab();
    await expect(canvas.getByRole("button", { name: "Copy code" })).toHaveFocus();
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Show several lines that a person runs as they are, and name them.",
        example: (
          <CodeSample
            label="Shell script"
            code={"curl -s http://127.0.0.1:3000/api/v1/chats \\\n  -H 'Authorization: Bearer …'"}
            copyLabel="Copy script"
          />
        ),
      },
    ],
    donts: [
      {
        text: "Do not use it for one command: CopyableCode shows that in full.",
        example: <CodeSample label="Command" code="npm start" copyLabel="Copy command" />,
      },
    ],
  }),
};
