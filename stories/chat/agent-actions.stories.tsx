import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import { type ComponentProps, useState } from "react";
import { expect, fn } from "storybook/test";
import { AgentActions } from "@/components/chat/agent-actions";
import type { Drafts } from "@/components/answers/draft";
import { AnsweredNote, RequiredActionForm } from "@/components/answers/required-action-form";
import type { ChildAction } from "@/contract/chat";
import type { Problem } from "@/contract/problem";
import { toOpenCall } from "@/test/to-open-call";
import { showStates } from "../show-states";
import { NOW } from "./fixtures";

type FormProps = ComponentProps<typeof RequiredActionForm>;
type AgentsProps = Pick<FormProps, "onSubmit" | "onDecide" | "problem"> & {
  actions: readonly ChildAction[];
  /** Titles of agents that another client has answered. */
  answered: readonly string[];
  onNavigate: (href: string) => void;
};

/** Stores the drafts and closes what is answered, as the page does. */
const Agents = ({ actions, answered, onNavigate, ...form }: AgentsProps) => {
  const [closedIds, setClosedIds] = useState<readonly string[]>([]);
  const [drafts, setDrafts] = useState<Drafts>({});
  const open = actions.filter(
    ({ chat_id: id, title }) => !closedIds.includes(id) && !answered.includes(title),
  );
  return (
    <AgentActions
      agents={actions}
      openIds={open.map(({ chat_id: id }) => id)}
      onNavigate={onNavigate}
      renderAction={(chatId, asker) => {
        const action = open.find(({ chat_id: id }) => id === chatId);
        const close = (): void => {
          if (!form.problem) setClosedIds((ids) => [...ids, chatId]);
        };
        if (!action) {
          return (
            !closedIds.includes(chatId) && (
              <AnsweredNote from="by you, in another tab" asker={asker} />
            )
          );
        }
        return (
          <RequiredActionForm
            {...form}
            action={action}
            asker={asker}
            drafts={drafts}
            onDraftChange={(id, draft) => setDrafts((others) => ({ ...others, [id]: draft }))}
            onSubmit={(results) => {
              form.onSubmit(results);
              close();
            }}
            onDecide={(decisions) => {
              form.onDecide(decisions);
              close();
            }}
            isSubmitting={false}
            now={NOW}
          />
        );
      }}
    />
  );
};

const getAction = (number: number, rest: Partial<ChildAction>): ChildAction => ({
  chat_id: `0198c0de-0000-7000-8000-0000000000a${number}`,
  title: `Agent ${number}`,
  deadline_at: "2026-03-12T13:20:00Z",
  message_id: `0198c0de-0000-7000-8000-0000000000c${number}`,
  tool_calls: [],
  approvals: [],
  ...rest,
});
const getApproval = (number: number): ChildAction =>
  getAction(number, {
    approvals: [
      {
        tool_call_id: `call_${number}`,
        tool_name: "exec",
        approval_scope: null,
        args: { action: "run", command: "npm install pino winston bunyan" },
      },
    ],
  });
const question = getAction(2, {
  tool_calls: [
    toOpenCall({ tool_call_id: "call_2", tool_name: "ask_colleague", args: { about: "licences" } }),
  ],
});

const UNREACHABLE: Problem = {
  type: "about:blank",
  title: "Service Unavailable",
  status: 503,
  code: "unavailable",
  request_id: "r1",
  detail: "The server cannot be reached. Check the connection and try again.",
};

const meta = {
  component: Agents,
  args: {
    actions: [getApproval(1)],
    answered: [],
    onSubmit: fn(),
    onDecide: fn(),
    onNavigate: fn(),
  },
} satisfies Meta<typeof Agents>;
export default meta;
type Story = StoryObj<typeof meta>;

const threeAgents: Story = { args: { actions: [getApproval(1), question, getApproval(3)] } };
const notTaken: Story = { args: { problem: UNREACHABLE } };

export const States: Story = showStates(meta, {
  "Awaiting approval": {},
  "Awaiting approval, three agents": threeAgents,
  "Awaiting result": { args: { actions: [question] } },
  "Answered: an agent that was answered elsewhere says so, and the other stays": {
    args: { actions: [getApproval(1), question], answered: ["Agent 1"] },
    play: async ({ canvas }) => {
      await expect(canvas.getByRole("status")).toHaveTextContent(
        "Agent 1: Answered by you, in another tab.",
      );
      await expect(canvas.getByRole("group", { name: /^Agent 2/ })).toBeVisible();
    },
  },
  Failed: notTaken,
});

export const TestApproval: Story = {
  name: "(Test) The form has the agent's name, its page, its deadline and all decisions",
  play: async ({ args, canvas, userEvent }) => {
    const form = canvas.getByRole("group", { name: "Agent 1 · Approval needed" });
    await expect(form).toHaveTextContent("Answer within");
    await expect(canvas.getByRole("button", { name: "Always…" })).toBeVisible();
    await expect(canvas.queryByText(/of 1/)).toBeNull();
    const link = canvas.getByRole("link", { name: "Agent 1" });
    await userEvent.click(link);
    await expect(args.onNavigate).toHaveBeenCalledWith(`/chats/${args.actions[0]?.chat_id}`);
    await userEvent.click(canvas.getByRole("button", { name: "Approve" }));
    await expect(args.onDecide).toHaveBeenCalledWith([
      { tool_call_id: "call_1", decision: "approve" },
    ]);
    await expect(canvas.queryByRole("group")).toBeNull();
  },
};

export const TestThreeAgents: Story = {
  ...threeAgents,
  name: "(Test) With the keyboard, the focus goes on to the first agent that is left",
  play: async ({ args, canvas, userEvent }) => {
    await expect(canvas.getByText("2 of 3 agents")).toBeVisible();
    canvas.getAllByRole("button", { name: "Approve" })[0]?.focus();
    await userEvent.keyboard("{Enter}");
    await expect(args.onDecide).toHaveBeenCalledTimes(1);
    await expect(canvas.queryByRole("group", { name: /^Agent 1/ })).toBeNull();
    const second = canvas.getByRole("group", { name: "Agent 2 · Your answer is needed" });
    await expect(second).toHaveFocus();
    await expect(second).toHaveTextContent("1 of 2 agents");
    canvas.getByRole("textbox", { name: "Answer" }).focus();
    await userEvent.keyboard("All MIT{Control>}{Enter}{/Control}");
    await expect(args.onSubmit).toHaveBeenCalledWith([
      { tool_call_id: "call_2", output: "All MIT", is_error: false },
    ]);
    await expect(canvas.getByRole("group", { name: /^Agent 3/ })).toHaveFocus();
  },
};

export const TestNotTaken: Story = {
  ...notTaken,
  name: "(Test) A decision that was not taken says why, and the form stays",
  play: async ({ canvas, userEvent }) => {
    await userEvent.click(canvas.getByRole("button", { name: "Approve" }));
    await expect(canvas.getByRole("alert")).toHaveTextContent("The server cannot be reached.");
    await expect(canvas.getByRole("group", { name: /^Agent 1/ })).toBeVisible();
  },
};
