import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import type { ReactNode } from "react";
import { expect } from "storybook/test";
import NotFound from "@/app/not-found";
import { ChatHeader } from "@/components/chat/chat-header";
import { EmptyChat } from "@/components/chat/empty-chat";
import { MessageList } from "@/components/chat/message-list";
import { joinCallSteps } from "@/components/chat/message-parts";
import { StatusLine } from "@/components/chat/status-line";
import { Composer } from "@/components/composer/composer";
import { AdvisorSettings as AdvisorPage } from "@/components/settings/advisor-settings";
import { SettingsLayout } from "@/components/settings/settings-layout";
import { listSettingsPages } from "@/components/settings/settings-pages";
import { ApiKeysSettings } from "@/components/account/api-keys-settings";
import { Sidebar } from "@/components/sidebar/sidebar";
import type { MessageView, ToolCallView } from "@/contract/chat-view";
import chatHeader from "./chat/chat-header.stories";
import emptyChat from "./chat/empty-chat.stories";
import { assistantMessage, messageActions, text, userMessage } from "./chat/fixtures";
import messageList from "./chat/message-list.stories";
import composer from "./composer/composer.stories";
import requiredActionForm from "./answers/required-action-form.stories";
import { ActionFormWithDrafts } from "./answers/untouched-story";
import advisorSettings from "./settings/advisor-settings.stories";
import apiKeys from "./account/api-keys-settings.stories";
import sidebar from "./sidebar/sidebar.stories";
import advisorCard from "./tool-cards/advisor-card.stories";
import { callInState } from "./tool-cards/call-in-state";

/** The frame of all pages after sign-in; its parts have the props of their own stories. */
const Page = ({ children }: { children: ReactNode }) => (
  <div className="flex h-dvh min-w-0 overflow-hidden">
    <Sidebar {...sidebar.args} />
    <main className="flex min-w-0 flex-1 flex-col">{children}</main>
  </div>
);

const doNothing = (): void => undefined;

const ComposerArea = ({ status }: { status: "waiting" | "requires_action" }) => (
  <div className="mx-auto grid w-full max-w-[46rem] shrink-0 gap-2 px-4 pb-2">
    <Composer {...composer.args} status={status} openCalls={status === "waiting" ? 0 : 1} />
  </div>
);

/** A chat that waits for an answer takes no other change. */
const WAITING_ACTIONS = { ...messageActions, onEditStart: undefined, onRegenerate: undefined };

type ChatPageProps = { messages: readonly MessageView[]; form?: ReactNode };

const ChatPage = ({ messages, form }: ChatPageProps) => (
  <Page>
    <ChatHeader {...chatHeader.args} />
    <MessageList
      {...messageList.args}
      messages={joinCallSteps(messages)}
      openTurns={{}}
      actions={form === undefined ? messageActions : WAITING_ACTIONS}
    >
      {form}
    </MessageList>
    <div className="mx-auto w-full max-w-[46rem] shrink-0 px-4">
      <StatusLine
        activity={form === undefined ? { kind: "idle" } : { kind: "requires-action", calls: 1 }}
      />
    </div>
    <ComposerArea status={form === undefined ? "waiting" : "requires_action"} />
  </Page>
);

const SettingsPage = ({ title, children }: { title: string; children: ReactNode }) => {
  const groups = listSettingsPages(true);
  const page = groups.flatMap(({ pages }) => pages).find(({ label }) => label === title);
  return (
    <Page>
      <SettingsLayout
        groups={groups}
        currentHref={page?.href ?? ""}
        onNavigate={doNothing}
        onOpenSidebar={doNothing}
        waitingCount={0}
      >
        {children}
      </SettingsLayout>
    </Page>
  );
};

/** Whole screens, made of the components in the states of their stories. */
const meta = {
  parameters: { layout: "fullscreen" },
  tags: ["!autodocs"],
} satisfies Meta;
export default meta;
type Story = StoryObj<typeof meta>;

export const Chat: Story = {
  render: () => <ChatPage messages={messageList.args.messages} />,
};
export const NewChat: Story = {
  render: () => (
    <Page>
      <div className="flex min-h-0 flex-1 flex-col justify-center gap-6 py-6">
        <div className="min-h-0 overflow-y-auto">
          <div className="mx-auto w-full max-w-[46rem] px-4 py-1">
            <EmptyChat {...emptyChat.args} />
          </div>
        </div>
        <ComposerArea status="waiting" />
      </div>
    </Page>
  ),
};

const ASK = [userMessage(1, "Is there room for us in the harbour tonight?")];
const FORM_ACTION = {
  ...requiredActionForm.args.action,
  tool_calls: [
    {
      tool_call_id: "call_1",
      tool_name: "reserve_berth",
      description: "Reserves a berth. Only the harbour office can say which one is free.",
      args: { nights: 1, length: "11.4 m" },
      output_schema: {
        type: "object",
        properties: {
          free: { type: "boolean", title: "Free" },
          berth: { type: "string", title: "Berth" },
          price: { type: "number", title: "Price", minimum: 0 },
        },
        required: ["free"],
      },
    },
  ],
};

const RESERVE_CALL = callInState(
  {
    tool_name: "reserve_berth",
    kind: "dynamic",
    args: { nights: 1, length: "11.4 m" },
    args_text: "",
    output: { free: true },
  },
  "awaiting_result",
);

export const FormPending: Story = {
  render: () => (
    <ChatPage
      messages={[...ASK, assistantMessage(2, [text("I ask the harbour office."), RESERVE_CALL])]}
      form={<ActionFormWithDrafts {...requiredActionForm.args} action={FORM_ACTION} />}
    />
  ),
  play: async ({ canvas }) => {
    await expect(canvas.getByRole("button", { name: "Send answer" })).toBeVisible();
    await expect(
      canvas.getByPlaceholderText("Answer above, or write the next message"),
    ).toBeVisible();
    await expect(canvas.queryByText(/Messages wait for the answer to end/)).toBeNull();
    await expect(canvas.queryByRole("button", { name: /Regenerate|Edit/ })).toBeNull();
  },
};
const ADVISOR_CALL: ToolCallView = {
  ...advisorCard.args.part,
  output: {
    type: "advice",
    advice: "The table changes **once a day**, so a cache of an hour loses nothing.",
    advisor_model: "openai/gpt-5",
    remaining_uses: 3,
    usage: { input_tokens: 2_140, output_tokens: 96 },
  },
};

export const Advisor: Story = {
  render: () => (
    <ChatPage
      messages={[
        userMessage(1, "Should the tide table be cached? Ask your advisor first."),
        assistantMessage(2, [ADVISOR_CALL]),
        assistantMessage(3, [text("Yes, for an hour, with the harbour and the day as its key.")]),
      ]}
    />
  ),
};
export const AdvisorSettings: Story = {
  render: () => (
    <SettingsPage title="Advisor">
      <AdvisorPage {...advisorSettings.args} />
    </SettingsPage>
  ),
};
export const Settings: Story = {
  render: () => (
    <SettingsPage title="API keys">
      <ApiKeysSettings {...apiKeys.args} />
    </SettingsPage>
  ),
};
export const Missing: Story = { name: "404", render: () => <NotFound /> };
