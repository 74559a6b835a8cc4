import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect, fn } from "storybook/test";
import { ToolCode } from "@/components/playground/tool-code";
import { readToolDraft } from "@/components/playground/tool-draft";
import { TOOL_EXAMPLES } from "@/components/playground/tool-examples";
import { showStates } from "../show-states";

const result = readToolDraft(TOOL_EXAMPLES[0].draft);
const trial = "trial" in result ? result.trial : undefined;
const MODEL_ID = "0197a1f0-0000-7000-8000-000000000001";

const meta = {
  component: ToolCode,
  args: {
    trial,
    origin: "http://127.0.0.1:3000",
    onNavigate: fn(),
  },
} satisfies Meta<typeof ToolCode>;
export default meta;
type Story = StoryObj<typeof meta>;

export const States: Story = showStates(meta, {
  Curl: {},
  "With a model": { args: { trial: trial && { ...trial, modelId: MODEL_ID } } },
  "Invalid: the form is not filled in": {
    args: { trial: trial && { ...trial, answer: undefined } },
  },
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
