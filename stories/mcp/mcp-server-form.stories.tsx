import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import McpServerForm from "@/components/mcp/mcp-server-form";
import { showStates } from "../show-states";
import { invalid, UNAVAILABLE } from "../settings/fixtures";
import { FILES, GITHUB } from "./mcp-fixtures";

const meta = {
  component: McpServerForm,
  args: {
    server: undefined,
    onSubmit: fn(),
    label: "New MCP server",
    problemTitle: "The MCP server was not saved",
    onCancel: fn(),
    isBusy: false,
    problem: undefined,
  },
} satisfies Meta<typeof McpServerForm>;
export default meta;
type Story = StoryObj<typeof meta>;

const ofProgram: Story = { args: { server: FILES } };

export const States: Story = showStates(meta, {
  New: {},
  "Of address": { args: { server: GITHUB } },
  "Of program": ofProgram,
  Saving: { args: { server: GITHUB, isBusy: true } },
  Failed: { args: { server: GITHUB, problem: UNAVAILABLE } },
  "With error, at a header": {
    args: { server: GITHUB, problem: invalid("/transport/headers/X-Api-Key", "is a secret") },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("textbox", { name: "Headers" })).toBeInvalid();
    },
  },
});

export const Narrow: Story = {
  ...ofProgram,
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvasElement }) => {
    await expect(canvasElement.scrollWidth).toBeLessThanOrEqual(canvasElement.clientWidth);
  },
};

const { id, secret_names, state, error, tools, notices, updated_at, ...FILES_INPUT } = FILES;
void [id, secret_names, state, error, tools, notices, updated_at];

export const TestUnchanged: Story = {
  name: "(Test) A server that is saved without a change stays as it is",
  args: { server: FILES },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Save" }));
    await expect(args.onSubmit).toHaveBeenCalledWith(FILES_INPUT);
  },
};

export const TestIncomplete: Story = {
  name: "(Test) What is missing is said at its field",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Save" }));
    await expect(args.onSubmit).not.toHaveBeenCalled();
    await expect(canvas.getByRole("textbox", { name: "Name" })).toBeInvalid();
    await expect(canvas.getByRole("textbox", { name: "Address" })).toBeInvalid();
    await expect(canvas.getByRole("checkbox", { name: "Allow private addresses" })).toBeVisible();
    await userEvent.selectOptions(
      canvas.getByRole("combobox", { name: "Connection" }),
      "Run a program on this server",
    );
    await expect(canvas.getByRole("textbox", { name: "Command" })).toBeInvalid();
    await expect(canvas.getByRole("checkbox", { name: "Allow the network" })).toBeVisible();
  },
};
