import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen } from "storybook/test";
import ForkMenu from "@/components/chat/fork-menu";
import { showStates } from "../show-states";
import { id } from "./fixtures";

const fork = (n: number, title: string) => ({ id: id(n), title });

const meta = {
  component: ForkMenu,
  args: {
    forks: [fork(1, "Tides around Oban (branch)"), fork(2, "Tides around Skye")],
    onNavigate: fn(),
  },
} satisfies Meta<typeof ForkMenu>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  One: { args: { forks: [fork(1, "Tides around Oban (branch)")] } },
  Several: {},
});

export const TestOpen: Story = {
  name: "(Test) The button opens the branches, which are links",
  play: async ({ args, canvas, userEvent }) => {
    canvas.getByRole("button", { name: "Branches: 2" }).focus();
    await userEvent.keyboard("{Enter}");
    const popup = await screen.findByRole("dialog", { name: "Branches of this chat" });
    await expect(popup).toHaveTextContent("Tides around Skye");
    await userEvent.click(screen.getByRole("link", { name: "Tides around Skye" }));
    await expect(args.onNavigate).toHaveBeenCalledWith(`/chats/${id(2)}`);
  },
};

export const TestLongTitle: Story = {
  name: "(Test) A long title wraps",
  args: { forks: [fork(1, "Tides around Oban and everything ".repeat(6))] },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Branches: 1" }));
    const link = await screen.findByRole("link", { name: /^Tides around Oban/ });
    await expect(link.scrollWidth).toBeLessThanOrEqual(link.clientWidth + 1);
  },
};
