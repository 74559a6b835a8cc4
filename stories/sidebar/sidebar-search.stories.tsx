import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { type ComponentProps, useState } from "react";
import { expect, fn } from "storybook/test";
import { SidebarSearch } from "@/components/sidebar/sidebar-search";
import { showStates } from "../show-states";

/** Stores the search text, as the page does. */
const WithSearch = (props: ComponentProps<typeof SidebarSearch>) => {
  const [search, setSearch] = useState(props.search);
  return (
    <SidebarSearch
      search={search}
      onSearchChange={(next) => {
        setSearch(next);
        props.onSearchChange(next);
      }}
    />
  );
};

const meta = {
  component: SidebarSearch,
  render: (args) => <WithSearch {...args} />,
  args: { search: "", onSearchChange: fn() },
} satisfies Meta<typeof SidebarSearch>;
export default meta;
type Story = StoryObj<typeof meta>;

const withText: Story = { args: { search: "sail" } };
const longText: Story = { args: { search: "sail inventory ".repeat(13) } };

export const States: Story = showStates(meta, {
  Empty: {},
  Filled: withText,
  "Long text": longText,
  "Empty: there is no button to clear": {
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("search")).toContainElement(canvas.getByRole("textbox"));
      await expect(canvas.queryByRole("button")).toBeNull();
    },
  },
});

export const Narrow: Story = { ...longText, globals: { viewport: { value: "mobile1" } } };

export const TestType: Story = {
  name: "(Test) Typing calls onSearchChange and Escape clears the text",
  args: { search: "sai" },
  play: async ({ args, canvas, userEvent }) => {
    const field = canvas.getByRole("textbox", { name: "Search chats" });
    await userEvent.type(field, "l");
    await expect(args.onSearchChange).toHaveBeenCalledWith("sail");
    await userEvent.keyboard("{Escape}");
    await expect(args.onSearchChange).toHaveBeenLastCalledWith("");
    await expect(field).toHaveValue("");
    await expect(field).toHaveFocus();
  },
};

export const TestEscape: Story = {
  name: "(Test) Escape propagates only if the search is empty",
  ...withText,
  play: async ({ canvas, userEvent }) => {
    const onKeyDown = fn();
    document.addEventListener("keydown", onKeyDown);
    canvas.getByRole("textbox").focus();
    await userEvent.keyboard("{Escape}");
    await expect(onKeyDown).not.toHaveBeenCalled();
    await userEvent.keyboard("{Escape}");
    await expect(onKeyDown).toHaveBeenCalledTimes(1);
    document.removeEventListener("keydown", onKeyDown);
  },
};

export const TestClear: Story = {
  name: "(Test) Clear search moves the focus to the field",
  ...withText,
  play: async ({ args, canvas, userEvent }) => {
    canvas.getByRole("textbox").focus();
    await userEvent.tab();
    await expect(canvas.getByRole("button", { name: "Clear search" })).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect(args.onSearchChange).toHaveBeenCalledWith("");
    await expect(canvas.getByRole("textbox")).toHaveFocus();
    await expect(canvas.queryByRole("button")).toBeNull();
  },
};
