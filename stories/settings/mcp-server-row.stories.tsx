import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { McpServerRow } from "@/components/settings/mcp-server-row";
import { showStates } from "../show-states";
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
  render: (args) => (
    <ul className="rounded-lg border bg-raised">
      <McpServerRow {...args} />
    </ul>
  ),
} satisfies Meta<typeof McpServerRow>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Connected: {},
  Connecting: { args: { server: CONNECTING } },
  Failed: { args: { server: FILES } },
  Off: { args: { server: SWITCHED_OFF } },
  "Too many tools": { args: { server: CROWDED } },
  Testing: { args: { test: {} } },
  Answered: {
    args: {
      test: {
        result: { ok: true, message: 'The MCP server "github" has 2 tools.', duration_ms: 420 },
      },
    },
  },
  "No answer": {
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
  },
  "Not tested": { args: { test: { problem: UNAVAILABLE } } },
});

export const TestTest: Story = {
  name: "(Test) Test tests the server",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Test github" }));
    await expect(args.onTest).toHaveBeenCalledOnce();
  },
};
