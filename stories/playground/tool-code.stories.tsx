import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { ToolCode } from "@/components/playground/tool-code";
import { readToolDraft } from "@/components/playground/tool-draft";
import { TOOL_EXAMPLES } from "@/components/playground/tool-examples";
import { showStates } from "../show-states";

const result = readToolDraft(TOOL_EXAMPLES[0].draft);

const meta = {
  component: ToolCode,
  args: {
    trial: "trial" in result ? result.trial : undefined,
    origin: "http://127.0.0.1:3000",
    onNavigate: fn(),
  },
} satisfies Meta<typeof ToolCode>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Curl: {},
  Unavailable: { args: { trial: undefined } },
});

export const TypeScript: Story = {
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("radio", { name: "TypeScript" }));
    await expect(canvas.getByRole("region", { name: "TypeScript program" })).toHaveTextContent(
      "approve_refund",
    );
  },
};

export const TestKeyLink: Story = {
  name: "(Test) The link leads to the API keys",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("link", { name: "an API key" }));
    await expect(args.onNavigate).toHaveBeenCalledWith("/settings/api-keys");
  },
};
