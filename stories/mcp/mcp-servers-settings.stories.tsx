import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn, screen } from "storybook/test";
import type { McpServerInput } from "@/contract/mcp-server";
import { McpServersSettings } from "@/components/mcp/mcp-servers-settings";
import { showStates } from "../show-states";
import { failed, ready, UNAVAILABLE } from "../settings/fixtures";
import { GITHUB, SERVERS } from "./mcp-fixtures";

const meta = {
  component: McpServersSettings,
  args: {
    items: ready(SERVERS),
    onReload: fn(),
    onCreate: fn(),
    onUpdate: fn(),
    isSaving: false,
    saveProblem: undefined,
    onCloseForm: fn(),
    onChange: fn(),
    onDelete: fn(),
    changeProblem: undefined,
    onTry: fn(),
    onImport: fn<(server: McpServerInput) => Promise<undefined>>(() => Promise.resolve(undefined)),
    trials: {},
    modes: {},
    onSetMode: fn(),
  },
} satisfies Meta<typeof McpServersSettings>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Many: {},
  Empty: { args: { items: ready([]) } },
  Loading: { args: { items: { state: "loading" } } },
  "Load error": { args: { items: failed } },
  "Change error": { args: { changeProblem: UNAVAILABLE } },
});

export const TestAdd: Story = {
  name: "(Test) A server is added by its address",
  args: { items: ready([]) },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Add MCP server" }));
    await screen.findByRole("form");
    await userEvent.type(await screen.findByRole("textbox", { name: "Name" }), "wiki");
    await userEvent.type(
      screen.getByRole("textbox", { name: "Address" }),
      "https://mcp.example.org/mcp",
    );
    await userEvent.type(screen.getByRole("textbox", { name: "Headers" }), "X-Team: docs");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await expect(args.onCreate).toHaveBeenCalledWith(
      {
        name: "wiki",
        transport: {
          type: "http",
          url: "https://mcp.example.org/mcp",
          allow_private: false,
          headers: { "X-Team": "docs" },
        },
        approval: "annotations",
        timeout_seconds: 60,
        enabled: true,
      },
      expect.any(Function),
    );
  },
};

export const TestToggle: Story = {
  name: "(Test) A server is switched off",
  args: { items: ready([GITHUB]) },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "More for github" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "Switch off" }));
    await expect(args.onChange).toHaveBeenCalledWith({ server_id: GITHUB.id, enabled: false });
  },
};
