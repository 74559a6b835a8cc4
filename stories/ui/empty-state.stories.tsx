import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const meta = {
  component: EmptyState,
  args: {
    kind: "missing",
    size: "page",
    title: "Page not found",
    text: "The link may be outdated or incomplete.",
    children: <Button variant="primary">Go to your chats</Button>,
  },
} satisfies Meta<typeof EmptyState>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Missing: {},
  Unreachable: {
    args: {
      kind: "unreachable",
      title: "The server cannot be reached",
      text: "Nothing is lost. The page continues when the server is back.",
      announce: "alert",
    },
  },
  Failed: {
    args: { kind: "failed", title: "This page has failed", text: "Nothing that you sent is lost." },
  },
  "Nothing found": {
    args: {
      kind: "no-results",
      size: "list",
      title: "Nothing found",
      text: "No chat has “xyzzy” in its title or messages.",
      children: undefined,
    },
  },
  Empty: {
    args: {
      kind: "empty",
      size: "list",
      title: "No chats yet",
      text: "Write a message, and the chat appears here.",
      children: undefined,
    },
  },
  "On a page the title is its heading and the drawing is hidden": {
    play: async ({ canvas, canvasElement }) => {
      await expect(canvas.getByRole("heading", { level: 1, name: "Page not found" })).toBeVisible();
      await expect(canvasElement.querySelector("svg")).toHaveAttribute("aria-hidden", "true");
      await expect(canvas.getByRole("button", { name: "Go to your chats" })).toBeVisible();
    },
  },
});

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Say why there is nothing, and what to do next.",
        example: (
          <EmptyState
            kind="empty"
            size="list"
            title="You have no recipes"
            text="A recipe is a command that models may run."
          >
            <Button size="sm">Add recipe</Button>
          </EmptyState>
        ),
      },
    ],
    donts: [
      {
        text: "Do not say only that nothing is there.",
        example: <EmptyState kind="empty" size="list" title="No data" text="0 items." />,
      },
      {
        text: "Do not call a list empty that could not be loaded.",
        example: (
          <EmptyState
            kind="empty"
            size="list"
            title="You have no chats"
            text="The server cannot be reached."
          />
        ),
      },
    ],
  }),
};
