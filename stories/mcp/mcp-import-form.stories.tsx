import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import McpImportForm from "@/components/mcp/mcp-import-form";
import type { McpServerInput } from "@/contract/mcp-server";
import type { Problem } from "@/contract/problem";
import { UNAVAILABLE } from "../settings/fixtures";

const CONFIG = JSON.stringify({
  mcpServers: {
    GitHub: { command: "npx", args: ["-y", "@example/github"], env: { GITHUB_TOKEN: "ghp_1" } },
    wiki: { url: "https://mcp.example.org/mcp", headers: { Authorization: "Bearer abc" } },
    files: { command: "npx", args: ["-y", "@example/files"] },
    old: { type: "sse", url: "https://mcp.example.org/sse" },
  },
});

type Import = (server: McpServerInput) => Promise<Problem | undefined>;

const onImport = fn<Import>(() => Promise.resolve(undefined));

const meta = {
  component: McpImportForm,
  args: { takenNames: ["files"], onImport, onSaved: fn(), onCancel: fn(), onEdit: fn() },
} satisfies Meta<typeof McpImportForm>;
export default meta;
type Story = StoryObj<typeof meta>;
type Context = Parameters<NonNullable<Story["play"]>>[0];

const paste = async ({ canvas, userEvent }: Context, text: string): Promise<void> => {
  await userEvent.click(canvas.getByRole("textbox", { name: "Configuration" }));
  await userEvent.paste(text);
};

export const Empty: Story = {};

export const Preview: Story = {
  play: async (context) => {
    const { canvas } = context;
    await paste(context, CONFIG);
    const rows = canvas.getAllByRole("listitem");
    await expect(canvas.getByRole("list", { name: "Servers" })).toBeVisible();
    await expect(rows[0]).toHaveTextContent("Stored encrypted: GITHUB_TOKEN");
    await expect(canvas.getByText("There is a server with this name already.")).toBeVisible();
    await expect(canvas.getByText(/are outdated/)).toBeVisible();
    await expect(canvas.getByRole("list", { name: "Servers" })).not.toHaveTextContent("ghp_1");
    await expect(context.args.onEdit).toHaveBeenCalled();
  },
};

export const Phone: Story = { ...Preview, globals: { viewport: { value: "phone" } } };

export const NoJson: Story = {
  play: async (context) => {
    await paste(context, "npx @example/github");
    await expect(context.canvas.getByRole("textbox", { name: "Configuration" })).toBeInvalid();
    await expect(context.canvas.getByRole("button", { name: "Add server" })).toBeDisabled();
  },
};

export const TestAdd: Story = {
  name: "(Test) Those that can be added are, and the others stay with the reason",
  play: async (context) => {
    const { args, canvas, userEvent } = context;
    await paste(context, CONFIG);
    await userEvent.click(canvas.getByRole("switch", { name: "Allow the network for programs" }));
    await userEvent.click(canvas.getByRole("button", { name: "Add 2 servers" }));
    await expect(onImport).toHaveBeenCalledTimes(2);
    const [github] = onImport.mock.calls[0] ?? [];
    await expect(github).toMatchObject({
      name: "github",
      transport: { network: true },
      secrets: { GITHUB_TOKEN: "ghp_1" },
    });
    await expect(canvas.getAllByText("Added.")).toHaveLength(2);
    await expect(args.onSaved).not.toHaveBeenCalled();
  },
};

export const TestSaved: Story = {
  name: "(Test) The form closes when all are added",
  args: { takenNames: [] },
  play: async (context) => {
    await paste(context, '{"wiki": {"url": "https://mcp.example.org/mcp"}}');
    await context.userEvent.click(context.canvas.getByRole("button", { name: "Add server" }));
    await expect(context.args.onSaved).toHaveBeenCalledOnce();
  },
};

export const TestRefused: Story = {
  name: "(Test) What the server refuses is said at its entry",
  args: { onImport: fn<Import>(() => Promise.resolve(UNAVAILABLE)) },
  play: async (context) => {
    const { args, canvas, userEvent } = context;
    await paste(context, '{"wiki": {"url": "https://mcp.example.org/mcp"}}');
    await userEvent.click(canvas.getByRole("button", { name: "Add server" }));
    await expect(await canvas.findByText(UNAVAILABLE.detail)).toBeVisible();
    await expect(args.onSaved).not.toHaveBeenCalled();
  },
};
