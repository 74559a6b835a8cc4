import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { expect } from "storybook/test";
import EditFileCard from "@/components/tool-cards/cards/edit-file-card";
import { showStates } from "../show-states";
import { callInState, NOW } from "./call-in-state";
import { showCallStates } from "./show-call-states";

const call = {
  tool_name: "edit_file",
  kind: "builtin" as const,
  args: {
    path: "src/depth.ts",
    edits: [
      { old_text: "return hour / 12;", new_text: "return hour / TIDE_HOURS;" },
      { old_text: "const HALF = 6;\n", new_text: "" },
    ],
  },
  args_text:
    '{"path":"src/depth.ts","edits":[{"old_text":"return hour / 12;","new_text":"return ho',
  output: 'Edited "src/depth.ts": 2 replacements.',
};

const DIFF =
  "@@ -1,5 +1,4 @@\n const TIDE_HOURS = 12;\n-const HALF = 6;\n export const depthAt = (hour: number) => {\n-  return hour / 12;\n+  return hour / TIDE_HOURS;\n };";

const meta = {
  component: EditFileCard,
  args: {
    part: { ...callInState(call, "completed"), for_user: `\`\`\`diff\n${DIFF}\n\`\`\`` },
    now: NOW,
  },
} satisfies Meta<typeof EditFileCard>;
export default meta;
type Story = StoryObj<typeof meta>;

const partialEdits: Story = { args: { part: callInState(call, "streaming") } };
const ambiguous: Story = {
  args: {
    part: {
      ...callInState(call, "error"),
      output:
        'No edit was made: old_text of edit 1 occurs 2 times, not 1.\nline 4: "return hour / 12;"\nline 9: "return hour / 12;"\nAdd lines around it so that it occurs once, or set replace_all or expected_count.',
    },
  },
};

export const States: Story = showStates(meta, {
  "Completed: the diff is shown at once, and the edits are not repeated": {
    play: async ({ canvas }) => {
      await expect(await canvas.findByText(/return hour \/ TIDE_HOURS/)).toBeVisible();
      await expect(canvas.queryByRole("group", { name: "Edits" })).toBeNull();
    },
  },
  Streaming: partialEdits,
  /** The edits can be read before they are made. */
  "Awaiting approval": { args: { part: callInState(call, "awaiting_approval") } },
  "Failed, ambiguous": ambiguous,
});

export const TestPartialEdits: Story = {
  name: "(Test) The edits can be read while they are being written",
  ...partialEdits,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /^Edit file src\/depth.ts/ }));
    await expect(canvas.getByRole("group", { name: "Edits" })).toHaveTextContent(
      "- return hour / 12; + return ho",
    );
  },
};

export const TestAmbiguous: Story = {
  name: "(Test) A failure names the places",
  ...ambiguous,
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /^Edit file/ }));
    await expect(canvas.getByText(/line 9: "return hour/)).toBeVisible();
  },
};

export const TestWrongShape: Story = {
  name: "(Test) Edits of a wrong shape do not break the card",
  args: {
    part: {
      ...callInState(call, "running"),
      args: { path: "a.txt", edits: [null, 7, "x", { old_text: 7 }, { new_text: "new" }] },
    },
  },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: /^Edit file/ }));
    await expect(canvas.getByRole("group", { name: "Edits" })).toHaveTextContent(/^\+ new$/);
  },
};

export const AllStates: Story = { tags: ["!test"], ...showCallStates(meta) };
