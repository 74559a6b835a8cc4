import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { McpServerRow } from "@/components/mcp/mcp-server-row";
import { showStates } from "../show-states";
import { UNAVAILABLE } from "../settings/fixtures";
import { CONNECTING, CROWDED, FILES, GITHUB, SWITCHED_OFF, WITHOUT_NETWORK } from "./mcp-fixtures";

const meta = {
  component: McpServerRow,
  args: {
    item: GITHUB,
    trial: undefined,
    modes: {},
    onSetMode: fn(),
    onTry: fn(),
    onEdit: fn(),
    onChange: fn(),
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
  Connecting: { args: { item: CONNECTING } },
  Failed: { args: { item: FILES } },
  "Failed without network": { args: { item: WITHOUT_NETWORK } },
  Off: { args: { item: SWITCHED_OFF } },
  "Too many tools": { args: { item: CROWDED } },
  Testing: { args: { trial: {} } },
  "Test passed": {
    args: {
      trial: {
        result: { ok: true, message: 'The MCP server "github" has 2 tools.', duration_ms: 420 },
      },
    },
  },
  "Test failed": {
    args: {
      trial: {
        result: {
          ok: false,
          message: 'The MCP server "github" did not answer.',
          duration_ms: 420,
          detail: 'The host "mcp.example.org" was not found.',
        },
      },
    },
  },
  "Not tested": { args: { trial: { problem: UNAVAILABLE } } },
});

export const TestTest: Story = {
  name: "(Test) Test tests the server",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Test github" }));
    await expect(args.onTry).toHaveBeenCalledOnce();
  },
};

export const AllowNetworkTest: Story = {
  name: "(Test) a program that failed without network is given it",
  args: { item: WITHOUT_NETWORK },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Allow the network for files" }));
    await expect(args.onChange).toHaveBeenCalledWith({
      server_id: WITHOUT_NETWORK.id,
      transport: { ...WITHOUT_NETWORK.transport, network: true },
    });
  },
};
