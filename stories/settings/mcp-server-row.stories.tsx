import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { McpServerRow } from "@/components/settings/mcp-server-row";
import { UNAVAILABLE } from "./fixtures";
import { CONNECTING, CROWDED, FILES, GITHUB, SWITCHED_OFF } from "./mcp-fixtures";

const meta = {
  component: McpServerRow,
  args: {
    server: GITHUB,
    test: undefined,
    modes: {},
    onSetMode: fn(),
    onTest: fn(),
    onEdit: fn(),
    onToggle: fn(),
    onDelete: fn(),
  },
  decorators: [(Story) => <ul className="rounded-lg border bg-raised">{Story()}</ul>],
} satisfies Meta<typeof McpServerRow>;
export default meta;
type Story = StoryObj<typeof meta>;

export const Connected: Story = {};
export const Connecting: Story = { args: { server: CONNECTING } };
export const Failed: Story = { args: { server: FILES } };
export const Off: Story = { args: { server: SWITCHED_OFF } };
export const TooManyTools: Story = { args: { server: CROWDED } };
export const Testing: Story = { args: { test: {} } };
export const Answered: Story = {
  args: {
    test: {
      result: { ok: true, message: 'The MCP server "github" has 2 tools.', duration_ms: 420 },
    },
  },
};
export const NoAnswer: Story = {
  args: {
    test: {
      result: {
        ok: false,
        message: 'The MCP server "github" did not answer.',
        duration_ms: 420,
        detail: 'The host "mcp.example.org" was not found.',
      },
    },
  },
};
export const NotTested: Story = { args: { test: { problem: UNAVAILABLE } } };

export const TestTest: Story = {
  name: "(Test) Test tests the server",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Test github" }));
    await expect(args.onTest).toHaveBeenCalledOnce();
  },
};
