import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { fn } from "storybook/test";
import { TypeText } from "@/components/docs/type-text";
import { showStates } from "../show-states";

const meta = {
  component: TypeText,
  args: { type: [{ text: "array of " }, { text: "Chat", schema: "Chat" }], onNavigate: fn() },
} satisfies Meta<typeof TypeText>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  "With link": {},
  Plain: { args: { type: [{ text: "string (uuid)" }] } },
});
