import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { MessageSquare, Settings, SquarePen } from "lucide-react";
import { expect, fireEvent, fn, screen, waitFor } from "storybook/test";
import { Palette, type PaletteItem } from "@/components/keyboard/palette";

const selectSails = fn();
const selectNew = fn();

const chat = (title: string, onSelect = fn()): PaletteItem => ({
  key: title.replaceAll(" ", "-"),
  label: title,
  icon: <MessageSquare aria-hidden size={15} />,
  onSelect,
});
const chats = {
  heading: "Recent chats",
  items: [
    chat("Sail inventory", selectSails),
    chat("Tides around Oban"),
    chat("Compare three logging libraries"),
  ],
};
const actions = {
  heading: "Actions",
  items: [
    { ...chat("New chat", selectNew), icon: <SquarePen aria-hidden size={15} /> },
    { ...chat("Keyboard shortcuts"), shortcut: "show-shortcuts" as const },
  ],
};
const settings = {
  heading: "Settings",
  items: ["Models", "Tools", "API keys", "Appearance", "Account"].map((label) => ({
    ...chat(label),
    icon: <Settings aria-hidden size={15} />,
  })),
};

const meta = {
  component: Palette,
  args: {
    query: "",
    onQueryChange: fn(),
    groups: [chats, actions, settings],
    isLoading: false,
    onClose: fn(),
  },
} satisfies Meta<typeof Palette>;
export default meta;
type Story = StoryObj<typeof meta>;

const field = () => screen.getByRole("combobox", { name: "Chats, actions and settings" });
const active = () => screen.getByRole("option", { selected: true });

export const Default: Story = {
  play: async () => {
    await expect(field()).toHaveFocus();
    await expect(active()).toHaveTextContent("Sail inventory");
    await expect(field()).toHaveAttribute("aria-activedescendant", active().id);
  },
};

export const Narrow: Story = { globals: { viewport: { value: "mobile1" } } };

export const Searching: Story = {
  args: { query: "set", groups: [settings], isLoading: true },
  play: async () => expect(screen.getByRole("status")).toHaveTextContent("Searching…"),
};

export const Found: Story = {
  args: {
    query: "narwhal",
    groups: [
      {
        heading: "Chats",
        items: [{ ...chat("Sea"), detail: "…a narwhal lives in the Arctic waters of Canada and…" }],
      },
    ],
  },
};

export const NothingFound: Story = {
  args: { query: "zzz", groups: [] },
  play: async () => expect(screen.getByRole("status")).toHaveTextContent("Nothing found for “zzz”"),
};

export const Failed: Story = {
  args: { query: "sea", groups: [], error: "The server cannot be reached." },
};

export const LongTitles: Story = {
  args: { groups: [{ heading: "Chats", items: [chat("Sail inventory ".repeat(20))] }] },
};

export const TestKeys: Story = {
  name: "(Test) Arrow keys move through all groups and around, and Enter selects",
  play: async ({ args, userEvent }) => {
    await userEvent.keyboard("{ArrowUp}");
    await expect(active()).toHaveTextContent("Account");
    await userEvent.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}");
    await expect(active()).toHaveTextContent("New chat");
    await expect(field()).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect(selectNew).toHaveBeenCalledOnce();
    await waitFor(() => expect(args.onClose).toHaveBeenCalledOnce());
  },
};

export const TestInputMethod: Story = {
  name: "(Test) Keys that compose a character select nothing",
  play: async ({ args }) => {
    await fireEvent.keyDown(field(), { key: "Enter", isComposing: true });
    await fireEvent.keyDown(field(), { key: "ArrowDown", isComposing: true });
    await expect(selectSails).not.toHaveBeenCalled();
    await expect(active()).toHaveTextContent("Sail inventory");
    await expect(args.onClose).not.toHaveBeenCalled();
  },
};

export const TestPointer: Story = {
  name: "(Test) A click selects, and the field keeps the focus while the pointer moves",
  play: async ({ userEvent }) => {
    await userEvent.hover(screen.getByRole("option", { name: "Tides around Oban" }));
    await expect(active()).toHaveTextContent("Tides around Oban");
    await expect(field()).toHaveFocus();
    await userEvent.click(screen.getByRole("option", { name: "Sail inventory" }));
    await expect(selectSails).toHaveBeenCalledOnce();
  },
};

export const TestToggle: Story = {
  name: "(Test) The key that opens it closes it",
  play: async ({ args, userEvent }) => {
    await userEvent.keyboard("{Control>}k{/Control}");
    await waitFor(() => expect(args.onClose).toHaveBeenCalledOnce());
  },
};
