import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { type ComponentProps, useState } from "react";
import { expect, fn, within } from "storybook/test";
import { ApprovalRequest } from "@/components/approvals/approval-request";
import { showRules } from "../show-rules";
import { showStates } from "../show-states";

const meta = {
  component: ApprovalRequest,
  args: {
    approval: {
      tool_call_id: "a1",
      tool_name: "exec",
      args: { action: "run", command: "npm test", cwd: "web", env: { CI: "1" }, timeout: 120 },
      approval_scope: { command: "npm test", cwd: "web", env: { CI: "1" }, pty: false },
    },
    onDecide: fn(),
    isDeciding: false,
  },
} satisfies Meta<typeof ApprovalRequest>;
export default meta;
type Story = StoryObj<typeof meta>;

const ofFiles: Story = {
  args: {
    approval: {
      tool_call_id: "a1",
      tool_name: "write_file",
      args: { path: "notes.md", content: "# Notes" },
      approval_scope: null,
    },
  },
};

export const Narrow: Story = {
  globals: { viewport: { value: "mobile1" } },
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Always…" }));
    await expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(window.innerWidth);
  },
};
const deciding: Story = { args: { isDeciding: true } };

export const States: Story = showStates(meta, {
  "Awaiting approval": {},
  "Without arguments": {
    args: { approval: { tool_call_id: "a1", tool_name: "exec", args: {}, approval_scope: null } },
  },
  "Long arguments": {
    args: {
      approval: {
        tool_call_id: "a1",
        tool_name: "exec",
        args: { command: Array.from({ length: 40 }, (_, line) => `echo ${line}`).join("\n") },
        approval_scope: null,
      },
    },
  },
  "Of files": ofFiles,
  Disguised: {
    args: {
      approval: {
        tool_call_id: "a1",
        tool_name: "exec",
        args: { command: "rm \u202Etxt.notes\u001B[2K" },
        approval_scope: null,
      },
    },
    play: async ({ canvas }) => {
      const line = canvas.getByRole("group", { name: "Command" });
      await expect(line).toHaveTextContent("rm \\u{202e}txt.notes\\u{1b}[2K");
    },
  },
  Deciding: deciding,
});

export const Rejecting: Story = {
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Reject with a reason…" }));
    await expect(canvas.getByRole("textbox", { name: "Reason" })).toBeVisible();
  },
};

export const TestApprove: Story = {
  name: "(Test) Approve works with the keyboard",
  play: async ({ args, canvas, userEvent }) => {
    const line = canvas.getByRole("group", { name: "Command" });
    await expect(line).toHaveTextContent("CI=1");
    await expect(line).toHaveTextContent("npm test");
    await expect(canvas.getByRole("group", { name: "Exec" })).toHaveTextContent("Runs in web");
    await expect(canvas.queryByText("Action")).toBeNull();
    await userEvent.tab();
    await expect(line).toHaveFocus();
    await userEvent.tab();
    await expect(canvas.getByRole("button", { name: "Approve" })).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect(args.onDecide).toHaveBeenCalledWith({ tool_call_id: "a1", decision: "approve" });
  },
};

export const TestEdit: Story = {
  name: "(Test) A changed command is approved with the other arguments of the call",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Edit…" }));
    const field = await canvas.findByRole("textbox", { name: "Command to run" });
    // The card has the command once, and what else the call gets.
    await expect(canvas.queryByRole("group", { name: "Command" })).toBeNull();
    await expect(canvas.getByRole("group", { name: "Exec" })).toHaveTextContent("Timeout120");
    await expect(canvas.queryByText("Action")).toBeNull();
    await userEvent.type(field, " -- a");
    await userEvent.click(canvas.getByRole("button", { name: "Approve this" }));
    await expect(args.onDecide).toHaveBeenCalledWith({
      tool_call_id: "a1",
      decision: "approve",
      args: { action: "run", command: "npm test -- a", cwd: "web", env: { CI: "1" }, timeout: 120 },
    });
    await userEvent.click(canvas.getByRole("button", { name: "Back" }));
    await expect(canvas.getByRole("button", { name: "Edit…" })).toHaveFocus();
  },
};

export const TestRejectAtOnce: Story = {
  name: "(Test) One click rejects",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Reject" }));
    await expect(args.onDecide).toHaveBeenCalledWith({ tool_call_id: "a1", decision: "reject" });
  },
};

export const TestReject: Story = {
  name: "(Test) The reason of a rejection is trimmed",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Reject with a reason…" }));
    await expect(args.onDecide).not.toHaveBeenCalled();
    const reason = canvas.getByRole("textbox", { name: "Reason" });
    await expect(reason).toHaveFocus();
    await expect(reason).toHaveAccessibleDescription("Optional. The model reads it.");
    await userEvent.keyboard(" Not here ");
    await userEvent.click(canvas.getByRole("button", { name: "Reject" }));
    await expect(args.onDecide).toHaveBeenCalledWith({
      tool_call_id: "a1",
      decision: "reject",
      reason: "Not here",
    });
  },
};

export const TestAlways: Story = {
  name: "(Test) Always shows exactly what it covers, then approves for the chat",
  play: async ({ args, canvas, userEvent }) => {
    const always = canvas.getByRole("button", { name: "Always…" });
    always.focus();
    await userEvent.keyboard("{Enter}");
    await expect(args.onDecide).not.toHaveBeenCalled();
    const panel = canvas.getByRole("group", { name: /exactly these values/ });
    await expect(within(panel).getByRole("group", { name: "Command" })).toHaveTextContent(
      "npm test",
    );
    // The card has the command once.
    await expect(canvas.getAllByRole("group", { name: "Command" })).toHaveLength(1);
    await expect(panel).toHaveTextContent("Runs in web");
    await expect(panel).not.toHaveTextContent("Pty");
    await expect(panel).not.toHaveTextContent("Timeout");
    await expect(canvas.getByRole("button", { name: "Approve always" })).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect(args.onDecide).toHaveBeenCalledWith({
      tool_call_id: "a1",
      decision: "approve",
      scope: "chat",
    });
  },
};

export const TestAlwaysByPattern: Story = {
  name: "(Test) Always takes a pattern for a simple command of a tool that has patterns",
  args: { patternKey: "command" },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Always…" }));
    await expect(canvas.getByRole("group", { name: "Command" })).toHaveTextContent("npm test");
    await userEvent.click(canvas.getByRole("button", { name: "Approve always" }));
    await expect(args.onDecide).toHaveBeenCalledWith({
      tool_call_id: "a1",
      decision: "approve",
      scope: "chat",
      pattern: "npm test",
    });
  },
};

export const TestAsksEachTime: Story = {
  name: "(Test) A command without a sandbox has no Always",
  args: { asksEachTime: true },
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("button", { name: "Approve" })).toBeVisible();
    await expect(canvas.queryByRole("button", { name: "Always…" })).toBeNull();
  },
};

export const TestAlwaysOfSeveralCommands: Story = {
  name: "(Test) Always offers no pattern for what is more than one command",
  args: {
    patternKey: "command",
    approval: {
      tool_call_id: "a1",
      tool_name: "exec",
      args: { command: "npm test; rm -r ." },
      approval_scope: { command: "npm test; rm -r ." },
    },
  },
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Always…" }));
    await expect(canvas.getByRole("group", { name: /exactly these values/ })).toBeVisible();
    await expect(canvas.queryByRole("textbox")).toBeNull();
    await userEvent.click(canvas.getByRole("button", { name: "Approve always" }));
    await expect(args.onDecide).toHaveBeenCalledWith({
      tool_call_id: "a1",
      decision: "approve",
      scope: "chat",
    });
  },
};

export const TestAlwaysEveryCall: Story = {
  ...ofFiles,
  name: "(Test) Always says that it covers every call of a tool; Back decides nothing",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Always…" }));
    await expect(canvas.getByText(/every call of Write file/)).toBeVisible();
    await userEvent.click(canvas.getByRole("button", { name: "Back" }));
    await expect(canvas.getByRole("button", { name: "Always…" })).toHaveFocus();
    await expect(args.onDecide).not.toHaveBeenCalled();
  },
};

export const TestRejectWithoutReason: Story = {
  name: "(Test) A blank reason is omitted",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Reject with a reason…" }));
    await userEvent.keyboard("   ");
    await userEvent.click(canvas.getByRole("button", { name: "Reject" }));
    await expect(args.onDecide).toHaveBeenCalledWith({ tool_call_id: "a1", decision: "reject" });
  },
};

export const TestBack: Story = {
  name: "(Test) Back decides nothing and focuses the Reject button",
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByRole("button", { name: "Reject with a reason…" })).not.toHaveFocus();
    await userEvent.click(canvas.getByRole("button", { name: "Reject with a reason…" }));
    await userEvent.click(canvas.getByRole("button", { name: "Back" }));
    await expect(canvas.queryByRole("textbox")).toBeNull();
    await expect(canvas.getByRole("button", { name: "Approve" })).toBeVisible();
    await expect(canvas.getByRole("button", { name: "Reject with a reason…" })).toHaveFocus();
    await expect(args.onDecide).not.toHaveBeenCalled();
  },
};

export const TestReasonPersists: Story = {
  name: "(Test) Back keeps the reason; an approval omits it",
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Reject with a reason…" }));
    await userEvent.keyboard("Not here");
    await userEvent.click(canvas.getByRole("button", { name: "Back" }));
    await userEvent.keyboard("{Enter}");
    await userEvent.keyboard(", ever");
    await expect(canvas.getByRole("textbox", { name: "Reason" })).toHaveValue("Not here, ever");
    await userEvent.click(canvas.getByRole("button", { name: "Back" }));
    await userEvent.click(canvas.getByRole("button", { name: "Approve" }));
    await expect(args.onDecide).toHaveBeenCalledWith({ tool_call_id: "a1", decision: "approve" });
  },
};

export const TestDecidingOnce: Story = {
  name: "(Test) No second decision can be made while one is sent",
  ...deciding,
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Approve" }));
    await expect(canvas.getByRole("button", { name: "Reject with a reason…" })).toBeDisabled();
    await expect(canvas.getByRole("button", { name: "Always…" })).toBeDisabled();
    await expect(args.onDecide).not.toHaveBeenCalled();
  },
};

/** Sets `isDeciding` after the decision, as the page does. */
const DecidesOnce = (props: ComponentProps<typeof ApprovalRequest>) => {
  const [isDeciding, setDeciding] = useState(false);
  return (
    <ApprovalRequest
      {...props}
      isDeciding={isDeciding}
      onDecide={(decision) => {
        setDeciding(true);
        props.onDecide(decision);
      }}
    />
  );
};

export const TestRejectingOnce: Story = {
  name: "(Test) A rejection is sent once, and its reason cannot be changed meanwhile",
  render: (args) => <DecidesOnce {...args} />,
  play: async ({ args, canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Reject with a reason…" }));
    await userEvent.keyboard("No");
    await userEvent.dblClick(canvas.getByRole("button", { name: "Reject" }));
    await expect(args.onDecide).toHaveBeenCalledTimes(1);
    const reason = canvas.getByRole("textbox", { name: "Reason" });
    await userEvent.type(reason, "t here");
    await expect(reason).toHaveValue("No");
    await expect(canvas.getByRole("button", { name: "Back" })).toBeDisabled();
  },
};

export const Rules: Story = {
  tags: ["!test"],
  ...showRules({
    dos: [
      {
        text: "Show once, in full, what will run, and let it be changed first.",
        example: <ApprovalRequest {...meta.args} />,
      },
      { text: "Reject with one click; a reason is optional." },
    ],
    donts: [
      {
        text: "Do not ask in general terms.",
        example: <p>“The assistant wants to use a tool. Allow?”</p>,
      },
      { text: "Do not offer “Always” for more than the person sees." },
    ],
  }),
};
