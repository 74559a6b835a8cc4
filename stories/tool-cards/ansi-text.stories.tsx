import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { AnsiText } from "@/components/tool-cards/ansi-text";
import { showStates } from "../show-states";

const ESC = "\u001B";

const meta = {
  component: AnsiText,
  render: (args) => (
    <pre className="bg-[#111414] p-3 font-mono text-xs text-[#e7ebea]">
      <AnsiText {...args} />
    </pre>
  ),
} satisfies Meta<typeof AnsiText>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Plain: { args: { text: "Compiled 12 files" } },
  Colors: {
    args: {
      text: `${ESC}[32mpassed${ESC}[0m ${ESC}[1;31mfailed${ESC}[0m ${ESC}[38;5;208morange${ESC}[0m ${ESC}[4munderlined${ESC}[0m`,
    },
  },
  "Markup in an output stays text": {
    args: { text: `<b>bold</b> ${ESC}[31m<i>red</i>${ESC}[0m` },
    play: async ({ canvasElement }) => {
      await expect(canvasElement.querySelector("b, i")).toBeNull();
      await expect(canvasElement).toHaveTextContent("<b>bold</b> <i>red</i>");
    },
  },
});
