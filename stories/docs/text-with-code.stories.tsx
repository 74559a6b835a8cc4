import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { TextWithCode } from "@/components/docs/text-with-code";
import { showStates } from "../show-states";

const meta = {
  component: TextWithCode,
  args: { text: "Needs an API key with the scope `chat`, or a session." },
} satisfies Meta<typeof TextWithCode>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  "With code": {
    play: async ({ canvas }) => {
      await expect(canvas.getByText("chat").tagName).toBe("CODE");
    },
  },
  Plain: { args: { text: "For signed-in browsers only." } },
});
