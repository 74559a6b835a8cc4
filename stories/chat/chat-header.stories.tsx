import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen } from "storybook/test";
import { ChatHeader } from "@/components/chat/chat-header";

const usage = { input_tokens: 84_200, output_tokens: 3_100, cost_micros: 0, by_kind: {} };

const meta = {
  component: ChatHeader,
  args: {
    title: "Tides around Oban",
    warnings: [],
    context: { used_tokens: 12_400, limit_tokens: 200_000 },
    usage,
    modelName: "Demo",
    onRename: fn(),
    onOpenSidebar: fn(),
  },
} satisfies Meta<typeof ChatHeader>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Fresh: Story = {};
export const LongTitle: Story = { args: { title: "Tides around Oban and everything ".repeat(6) } };
export const AlmostFull: Story = {
  args: { context: { used_tokens: 176_000, limit_tokens: 200_000 } },
};
export const Full: Story = { args: { context: { used_tokens: 199_000, limit_tokens: 200_000 } } };
export const UnknownLimit: Story = {
  args: { context: { used_tokens: 12_400, limit_tokens: null } },
};
export const WithWarnings: Story = {
  args: { warnings: ["The tool “read_file” is built in, so yours of that name is not offered."] },
};
export const WithCost: Story = {
  args: {
    usage: {
      ...usage,
      cost_micros: 310_000,
      by_kind: {
        turn: { input_tokens: 80_000, output_tokens: 3_000, cost_micros: 290_000 },
        advisor: { input_tokens: 4_200, output_tokens: 100, cost_micros: 20_000 },
      },
    },
  },
};

export const TestRename: Story = {
  name: "(Test) The title is renamed in its place",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Rename chat" }));
    await userEvent.keyboard("Springs and neaps{Enter}");
    await expect(args.onRename).toHaveBeenCalledWith("Springs and neaps");
    await expect(canvas.getByRole("heading", { level: 1 })).toBeVisible();
  },
};

export const TestUsage: Story = {
  name: "(Test) The ring tells the share, and opens to the figures",
  ...WithCost,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(
      canvas.getByRole("button", { name: "Context: 6% used, 12.4K of 200K tokens" }),
    );
    const popup = await screen.findByRole("dialog", { name: "Context and usage" });
    await expect(popup).toHaveTextContent("Cost0.31");
    await expect(popup).toHaveTextContent("of it the agent80K in, 3K out, 0.29");
    await expect(popup).toHaveTextContent("of it the advisor4.2K in, 100 out, 0.020");
  },
};

export const TestAdvisorWithoutPrices: Story = {
  name: "(Test) The advisor’s tokens stand apart also where there are no prices",
  args: {
    usage: {
      ...usage,
      by_kind: {
        turn: { input_tokens: 80_000, output_tokens: 3_000, cost_micros: 0 },
        advisor: { input_tokens: 4_200, output_tokens: 100, cost_micros: 0 },
      },
    },
  },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /^Context/ }));
    const popup = await screen.findByRole("dialog", { name: "Context and usage" });
    await expect(popup).toHaveTextContent(
      /of it the agent80K in, 3K out.*of it the advisor4\.2K in, 100 out$/,
    );
    await expect(popup).not.toHaveTextContent("Cost");
  },
};

export const TestNoCost: Story = {
  name: "(Test) Without prices nothing is said of cost",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /^Context/ }));
    await expect(await screen.findByRole("dialog")).not.toHaveTextContent("Cost");
  },
};

export const TestWarnings: Story = {
  name: "(Test) Warnings can be read",
  ...WithWarnings,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Warnings: 1" }));
    await expect(await screen.findByRole("dialog", { name: "Warnings" })).toHaveTextContent(
      "read_file",
    );
  },
};
