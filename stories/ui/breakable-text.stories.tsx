import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { BreakableText } from "@/components/ui/breakable-text";
import { showRules } from "../show-rules";

const LINE = "(a)b".repeat(1_000);
const PARAGRAPH = "The harbor opens at six. ".repeat(100);

const meta = {
  component: BreakableText,
  args: { text: PARAGRAPH },
  render: (args) => (
    <p className="max-w-xl wrap-anywhere whitespace-pre-wrap">
      <BreakableText {...args} />
    </p>
  ),
} satisfies Meta<typeof BreakableText>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Default: Story = {};

export const TestLongWord: Story = {
  name: "(Test) A long word has places for a line break, and none of them is text",
  args: { text: LINE },
  play: async ({ canvasElement }) => {
    const line = canvasElement.querySelector("p");
    await expect(line?.querySelectorAll("wbr").length).toBeGreaterThan(10);
    await expect(line).toHaveTextContent(LINE);
  },
};

export const TestShort: Story = {
  name: "(Test) A text of usual length is one",
  args: { text: "The harbor opens at six." },
  play: ({ canvasElement }) => expect(canvasElement.querySelector("wbr")).toBeNull(),
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Show texts of models, tools and people with it, which may have lines of any length.",
        example: (
          <p className="wrap-anywhere">
            <BreakableText text="The answer of a tool" />
          </p>
        ),
      },
    ],
    donts: [
      {
        text: "Do not use it for texts of the page, which are short.",
        example: (
          <p>
            <BreakableText text="Settings" />
          </p>
        ),
      },
    ],
  }),
};
