import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import { WriteFileCard } from "@/components/tool-cards/write-file-card";
import { showStates } from "../show-states";
import { callInState, NOW } from "./call-in-state";

const call = {
  tool_name: "write_file",
  kind: "builtin" as const,
  args: { path: "notes/tides.md", content: "# Tides\n\n- springs\n- neaps\n" },
  args_text: '{"path":"notes/tides.md","content":"# Tides\\n\\n- spr',
  output: "Wrote 27 bytes to notes/tides.md.",
};

const meta = {
  component: WriteFileCard,
  args: { part: callInState(call, "completed"), now: NOW },
} satisfies Meta<typeof WriteFileCard>;
export default meta;
type Story = StoryObj<typeof meta>;

const partialContent: Story = { args: { part: callInState(call, "streaming") } };

const DIFF = "@@ -1,3 +1,3 @@\n # Tides\n-- springs\n+- springs run strong\n - neaps";

export const States: Story = showStates(meta, {
  Created: {},
  "Partial content": partialContent,
  /** An existing file shows what changed instead of the whole content. */
  "An existing file shows at once what changed, not its content": {
    args: {
      part: {
        ...callInState(call, "completed"),
        output: 'Replaced "notes/tides.md": 38 bytes.',
        for_user: `\`\`\`diff\n${DIFF}\n\`\`\``,
      },
    },
    play: async ({ canvas }) => {
      await expect(await canvas.findByText(/springs run strong/)).toBeVisible();
      await expect(canvas.queryByRole("group", { name: "Content" })).toBeNull();
    },
  },
});

export const TestStreamedContent: Story = {
  name: "(Test) The content can be read while it is being written",
  ...partialContent,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /Write file/ }));
    await expect(canvas.getByRole("group", { name: "Content" })).toHaveTextContent("# Tides - spr");
  },
};

export const TestWrongShape: Story = {
  name: "(Test) Arguments of a wrong shape do not break the card",
  args: { part: { ...callInState(call, "completed"), args: { path: 7, content: ["x"] } } },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /Write file/ }));
    await expect(canvas.getByRole("group", { name: "Output" })).toHaveTextContent(
      /^Wrote 27 bytes/,
    );
  },
};
