import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen, waitFor } from "storybook/test";
import { Button } from "@/components/ui/button";
import { Menu } from "@/components/ui/menu";
import { doNothing } from "../do-nothing";
import { showRules } from "../show-rules";

const rename = fn();
const remove = fn();

const meta = {
  component: Menu,
  args: {
    trigger: <Button>Actions</Button>,
    items: [
      { kind: "heading", label: "ada@example.com" },
      {
        kind: "item",
        label: "Rename",
        icon: "pencil",
        onSelect: rename,
      },
      { kind: "link", label: "API reference", href: "/docs" },
      { kind: "separator" },
      {
        kind: "item",
        label: "Delete…",
        icon: "trash-2",
        isDestructive: true,
        onSelect: remove,
      },
    ],
  },
} satisfies Meta<typeof Menu>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Closed: Story = {};
export const Open: Story = {
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Actions" }));
    await expect(await screen.findByRole("menu")).toBeVisible();
  },
};

export const TestKeyboard: Story = {
  name: "(Test) Arrow keys and Enter select an item and the focus returns",
  play: async ({ canvas, userEvent }) => {
    rename.mockClear();
    canvas.getByRole("button", { name: "Actions" }).focus();
    await userEvent.keyboard("{ArrowDown}");
    const first = await screen.findByRole("menuitem", { name: "Rename" });
    await waitFor(() => expect(first).toHaveFocus());
    await userEvent.keyboard("{Enter}");
    await expect(rename).toHaveBeenCalledTimes(1);
    await waitFor(() => expect(canvas.getByRole("button", { name: "Actions" })).toHaveFocus());
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Put what is done rarely into a menu, the destructive item at the end.",
        example: (
          <Menu
            trigger={<Button>Actions</Button>}
            items={[
              { kind: "item", label: "Rename", onSelect: doNothing },
              { kind: "separator" },
              { kind: "item", label: "Delete…", isDestructive: true, onSelect: doNothing },
            ]}
          />
        ),
      },
    ],
    donts: [
      {
        text: "Do not make a menu of one item: show that as a button.",
        example: (
          <Menu
            trigger={<Button>Actions</Button>}
            items={[{ kind: "item", label: "Rename", onSelect: doNothing }]}
          />
        ),
      },
    ],
  }),
};
