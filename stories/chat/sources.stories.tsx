import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import Sources from "@/components/chat/sources";
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
  "The whole host is shown, whatever the title is": {
    args: {
      sources: [
        {
          type: "source",
          url: "https://bank.example.login-and-account-of-customers.of.this-site.evil.example/",
          title: `bank.example/login ${"welcome ".repeat(20)}`,
        },
        {
          type: "source",
          url: "mailto:me@bank.example?bcc=eve@evil.example",
          title: "Write to us",
        },
      ],
    },
    play: async ({ canvas }) => {
      const sites = canvas.getAllByText(/evil\.example$/);
      await expect(sites).toHaveLength(2);
      for (const site of sites) {
        const card = site.closest("a");
        if (!card) throw new Error("the source is no link");
        // Of the text itself, which what is around it may cut.
        const text = document.createRange();
        text.selectNodeContents(site);
        const { left, right, bottom } = text.getBoundingClientRect();
        const around = card.getBoundingClientRect();
        await expect(left).toBeGreaterThanOrEqual(around.left);
        await expect(right).toBeLessThanOrEqual(around.right);
        await expect(bottom).toBeLessThanOrEqual(around.bottom);
        await expect(card.scrollWidth).toBeLessThanOrEqual(card.clientWidth);
      }
    },
  },
  "A URL with an unsafe scheme is not a link": {
    args: { sources: [{ type: "source", url: "javascript:alert(1)", title: "Run me" }] },
    play: async ({ canvas }) => {
      await expect(canvas.getByText("Run me")).toBeVisible();
      await expect(canvas.queryByRole("link")).toBeNull();
    },
  },
});
