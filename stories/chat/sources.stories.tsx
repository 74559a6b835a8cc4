import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { Sources } from "@/components/chat/sources";
import { showStates } from "../show-states";

const meta = {
  component: Sources,
  args: {
    sources: [
      { type: "source", url: "https://www.example.com/tides", title: "Tide tables" },
      { type: "source", url: "https://forecast.example/sw" },
    ],
  },
} satisfies Meta<typeof Sources>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  "With titles": {},
  "A URL with an unsafe scheme is not a link": {
    args: { sources: [{ type: "source", url: "javascript:alert(1)", title: "Run me" }] },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("Run me")).toBeVisible();
      await expect(canvas.queryByRole("link")).toBeNull();
    },
  },
});
