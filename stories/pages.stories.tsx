import type { Meta, StoryObj } from "@storybook/nextjs-vite";
import type { ComponentProps, ReactNode } from "react";
import { expect, screen, waitFor } from "storybook/test";
import NotFound from "@/app/not-found";
import { AccountFrame } from "@/components/account/account-frame";
import { ApiKeysSettings } from "@/components/account/api-keys-settings";
import { LoginForm } from "@/components/account/login-form";
import { SetupForm } from "@/components/account/setup-form";
import ChatErrorAlert from "@/components/chat/chat-error-alert";
import { EmptyChat } from "@/components/chat/empty-chat";
import { FindBar } from "@/components/chat/find-bar";
import { StartingTexts } from "@/components/chat/starting-texts";
import { useMatchHighlights } from "@/components/chat/use-match-highlights";
import { KeyNotice } from "@/components/docs/key-notice";
import { OperationSection } from "@/components/docs/operation-section";
import { ReferenceOverview } from "@/components/docs/reference-overview";
import { AdvisorSettings as AdvisorPage } from "@/components/settings/advisor-settings";
import { GroupsSettings } from "@/components/settings/groups-settings";
import { McpServersSettings } from "@/components/mcp/mcp-servers-settings";
import { ModelsSettings } from "@/components/models/models-settings";
import { RecipesSettings } from "@/components/settings/recipes-settings";
import { RecentChats } from "@/components/sidebar/recent-chats";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { OfflineNotice } from "@/components/ui/offline-notice";
import { ChatListButton, WHERE_SIDEBAR_IS_HIDDEN } from "@/components/ui/page-header";
import { PageNav } from "@/components/ui/page-nav";
import { Spinner } from "@/components/ui/spinner";
import type { MessageView, PartView, ToolCallView } from "@/contract/chat-view";
import { toOpenCall } from "@/test/to-open-call";
import accountFrame from "./account/account-frame.stories";
import apiKeys from "./account/api-keys-settings.stories";
import loginForm from "./account/login-form.stories";
import setupForm from "./account/setup-form.stories";
import requiredActionForm from "./answers/required-action-form.stories";
import { ActionFormWithDrafts } from "./answers/untouched-story";
import agentActions from "./chat/agent-actions.stories";
import chatErrorAlert from "./chat/chat-error-alert.stories";
import emptyChat from "./chat/empty-chat.stories";
import findBar from "./chat/find-bar.stories";
import {
  assistantMessage,
  CONVERSATION,
  longConversation,
  messageActions,
  reasoning,
  text,
  toolCall,
  userMessage,
} from "./chat/fixtures";
import startingTexts from "./chat/starting-texts.stories";
import queueList from "./composer/queue-list.stories";
import { GROUPS } from "./docs/fixtures";
import keyNotice from "./docs/key-notice.stories";
import operationSection from "./docs/operation-section.stories";
import referenceOverview from "./docs/reference-overview.stories";
import { doNothing } from "./do-nothing";
import { ChatPage, ComposerArea, Page, SettingsPage, TitledPage } from "./page-frames";
import playground from "./playground/playground.stories";
import { PlaygroundWithDraft } from "./playground/playground-with-draft";
import advisorSettings from "./settings/advisor-settings.stories";
import { failed, ready } from "./settings/fixtures";
import groupsSettings from "./settings/groups-settings.stories";
import mcpServersSettings from "./mcp/mcp-servers-settings.stories";
import modelsSettings from "./models/models-settings.stories";
import recipesSettings from "./settings/recipes-settings.stories";
import recentChats from "./sidebar/recent-chats.stories";
import advisorCard from "./tool-cards/advisor-card.stories";
import { LIVE_AGENT, WAIT } from "./tool-cards/agents";
import askUserQuestionCard from "./tool-cards/ask-user-question-card.stories";
import { callInState, createCalls } from "./tool-cards/call-in-state";

/**
 * Whole pages in each of their states, made of the components in the states of their stories. Those that another page
 * differs from by one part only are not run as tests.
 */
const meta = {
  parameters: { layout: "fullscreen" },
  tags: ["!autodocs"],
  play: async ({ canvasElement }) => {
    // Nothing of a page is wider than its screen, and all that is loaded later is there.
    await waitFor(() => expect(canvasElement.querySelector("main")).toBeVisible());
    await expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(window.innerWidth);
  },
} satisfies Meta;
export default meta;
type Story = StoryObj<typeof meta>;

/** A page as it is on a phone. */
const onPhone = (story: Story): Story => ({
  ...story,
  globals: { viewport: { value: "phone" } },
});

export const Chat: Story = { render: () => <ChatPage messages={CONVERSATION} /> };

const Home = ({ children, ...args }: Partial<ComponentProps<typeof EmptyChat>>) => (
  <Page>
    <header className={WHERE_SIDEBAR_IS_HIDDEN}>
      <div className="flex h-13 items-center px-2">
        <ChatListButton onOpenSidebar={doNothing} waitingCount={1} />
      </div>
    </header>
    <div className="flex min-h-0 flex-1 flex-col justify-center gap-6 py-6">
      <div className="min-h-0 overflow-y-auto">
        <div className="mx-auto w-full max-w-[46rem] px-4 py-1">
          <EmptyChat {...emptyChat.args} {...args}>
            {children}
          </EmptyChat>
        </div>
      </div>
      <ComposerArea />
    </div>
  </Page>
);

export const NewChat: Story = { render: () => <Home /> };
export const NewChatAfterDayOne: Story = {
  render: () => (
    <Home isFirst={false} demo="none">
      <RecentChats {...recentChats.args} />
      <StartingTexts {...startingTexts.args} />
    </Home>
  ),
};

const [QUESTION, LOOK_UP] = CONVERSATION;
if (!QUESTION || !LOOK_UP) throw new Error("The conversation has no question with a look-up.");

const preview = (...parts: PartView[]): MessageView => ({
  ...assistantMessage(3, parts),
  preview: true,
});

export const Loading: Story = {
  tags: ["!test"],
  render: () => (
    <Page>
      <p role="status" className="flex flex-1 items-center justify-center gap-2 text-muted">
        <Spinner /> Loading chat…
      </p>
    </Page>
  ),
};
export const Pending: Story = {
  tags: ["!test"],
  render: () => (
    <ChatPage
      messages={[QUESTION]}
      activity={{ kind: "thinking", since: "2026-03-12T12:00:00.000Z" }}
      state={{ status: "pending" }}
    />
  ),
};
export const Streaming: Story = {
  render: () => (
    <ChatPage
      messages={[
        QUESTION,
        LOOK_UP,
        preview(
          reasoning("High water is at 08:52, so the stream turns at about 09:40."),
          text(
            "The window on Saturday is **09:40 to 12:10**. Leave the pontoon by 09:15:\n\n1. High water at Oban is *08:52*, 3.8 m above datum.\n2. The stream in the sound turns about",
          ),
        ),
      ]}
      activity={{ kind: "answering" }}
      state={{ status: "running" }}
    />
  ),
};
export const RunningTools: Story = {
  tags: ["!test"],
  render: () => (
    <ChatPage
      messages={[
        QUESTION,
        preview(
          text("I'll look at your notes and the harbour's data."),
          toolCall("read_file"),
          callInState(
            {
              tool_name: "web_fetch",
              kind: "builtin",
              args: { url: "https://tides.example/oban" },
              args_text: "",
              output: "",
            },
            "running",
          ),
        ),
      ]}
      activity={{ kind: "tools", names: ["web_fetch"] }}
      state={{ status: "running" }}
    />
  ),
};
export const Retrying: Story = {
  tags: ["!test"],
  render: () => (
    <ChatPage
      messages={[QUESTION]}
      activity={{
        kind: "retrying",
        retry: {
          attempt: 2,
          delay_ms: 8_000,
          retrying_at: "2026-03-12T12:00:12.000Z",
          kind: "overloaded",
          message: "The provider is overloaded.",
        },
      }}
      state={{ status: "running" }}
    />
  ),
};
export const Interrupting: Story = {
  tags: ["!test"],
  render: () => (
    <ChatPage
      messages={[QUESTION, LOOK_UP]}
      activity={{ kind: "interrupting" }}
      state={{ status: "interrupting" }}
    />
  ),
};
export const Queue: Story = {
  render: () => (
    <ChatPage
      messages={[QUESTION, LOOK_UP, preview(text("The window on Saturday is **09:40 to"))]}
      activity={{ kind: "answering" }}
      state={{ status: "running" }}
      queue={queueList.args.messages}
    />
  ),
};

const FORM_ACTION = {
  ...requiredActionForm.args.action,
  tool_calls: [
    toOpenCall({
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
    }),
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

const NEEDS_YOU = { status: "requires_action", openCalls: 1 } as const;

/** A chat that waits for the person. */
const WaitingPage = ({ form, call }: { form: ReactNode; call?: ToolCallView }) => (
  <ChatPage
    messages={[
      userMessage(1, "Is there room for us in the harbour tonight?"),
      assistantMessage(2, [text("I ask the harbour office."), ...(call ? [call] : [])]),
    ]}
    activity={{ kind: "requires-action", calls: 1 }}
    state={NEEDS_YOU}
  >
    {form}
  </ChatPage>
);

export const FormPending: Story = {
  name: "Needs you: a form",
  render: () => (
    <WaitingPage
      call={RESERVE_CALL}
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

const EXEC = {
  tool_call_id: "call_2",
  tool_name: "exec",
  args: { action: "run", command: "npm run berths -- --tonight", cwd: "harbour" },
  approval_scope: { command: "npm run berths -- --tonight", cwd: "harbour" },
};

export const Approval: Story = {
  name: "Needs you: an approval",
  render: () => (
    <WaitingPage
      form={
        <ActionFormWithDrafts
          {...requiredActionForm.args}
          action={{ ...requiredActionForm.args.action, approvals: [EXEC] }}
          ruleOptions={{ exec: { patternKey: "command" } }}
        />
      }
    />
  ),
};
export const Question: Story = {
  tags: ["!test"],
  name: "Needs you: a question",
  render: () => (
    <ChatPage
      messages={[
        userMessage(1, "Put the tides into a table."),
        assistantMessage(2, [askUserQuestionCard.args.part]),
      ]}
      timeline={{ actions: { ...messageActions, onAnswer: doNothing } }}
    />
  ),
};

const AGENTS = WAIT.chat_ids.map((chatId, index) => ({
  ...LIVE_AGENT,
  chat_id: chatId,
  title: `Measure ${["pino", "winston", "bunyan"][index]}`,
}));
const { component: Agents, args: agentArgs } = agentActions;

export const AwaitingAgents: Story = {
  render: () => (
    <ChatPage
      messages={[
        userMessage(1, "Which logging library is the fastest? Measure three."),
        assistantMessage(2, [
          text("An agent measures each of them."),
          createCalls("wait_agent", { chat_ids: WAIT.chat_ids })("awaiting_agents", WAIT).part,
        ]),
      ]}
      activity={{ kind: "agents" }}
      state={{ status: "awaiting_agents", agentCalls: 1 }}
      timeline={{ agents: AGENTS }}
    >
      <Agents {...agentArgs} />
    </ChatPage>
  ),
};
export const Failed: Story = {
  render: () => (
    <ChatPage
      messages={[QUESTION]}
      activity={{ kind: "error", error: chatErrorAlert.args.error }}
      state={{ status: "error" }}
    >
      <ChatErrorAlert {...chatErrorAlert.args} />
    </ChatPage>
  ),
};
export const Offline: Story = {
  render: () => (
    <ChatPage
      messages={[QUESTION, LOOK_UP, preview(text("The window on Saturday is **09:40 to"))]}
      activity={{ kind: "reconnecting" }}
      state={{ status: "running" }}
      notice={<OfflineNotice isOffline isPageWaiting={false} isCommandWaiting={false} />}
    />
  ),
};
export const LongChat: Story = {
  render: () => (
    <ChatPage
      messages={longConversation(500)}
      timeline={{ hasOlder: true }}
      header={{
        title: "Tides around Oban and everything that we asked about them in three summers",
        context: { used_tokens: 186_000, limit_tokens: 200_000 },
      }}
    />
  ),
};
const Search = () => {
  useMatchHighlights({ q: "Saturday", shownId: CONVERSATION.at(-1)?.id, showCount: 1 });
  return (
    <FindBar
      {...findBar.args}
      query="Saturday"
      found={{ position: 1, count: 2, hasMore: false, isLoading: false }}
    />
  );
};
export const FindInChat: Story = {
  name: "Find in chat",
  render: () => <ChatPage messages={CONVERSATION} search={<Search />} />,
};
export const Archived: Story = {
  tags: ["!test"],
  render: () => (
    <ChatPage
      messages={CONVERSATION}
      state={{ disabledReason: "Restore it to write a message." }}
      note={
        <Alert
          tone="info"
          title="This chat is archived."
          action={<Button size="sm">Restore</Button>}
        />
      }
    />
  ),
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
      timeline={{ openTurns: { 2: true } }}
    />
  ),
};
export const Models: Story = {
  tags: ["!test"],
  name: "Settings: models",
  render: () => (
    <SettingsPage title="Models">
      <ModelsSettings {...modelsSettings.args} />
    </SettingsPage>
  ),
};
export const AdvisorSettings: Story = {
  name: "Settings: advisor",
  render: () => (
    <SettingsPage title="Advisor">
      <AdvisorPage {...advisorSettings.args} />
    </SettingsPage>
  ),
};
export const Settings: Story = {
  name: "Settings: API keys",
  render: () => (
    <SettingsPage title="API keys">
      <ApiKeysSettings {...apiKeys.args} />
    </SettingsPage>
  ),
};
export const EmptySettings: Story = {
  name: "Settings: empty",
  render: () => (
    <SettingsPage title="MCP servers">
      <McpServersSettings {...mcpServersSettings.args} items={ready([])} />
    </SettingsPage>
  ),
};
export const LoadingSettings: Story = {
  tags: ["!test"],
  name: "Settings: loading",
  render: () => (
    <SettingsPage title="Groups">
      <GroupsSettings {...groupsSettings.args} list={{ state: "loading" }} />
    </SettingsPage>
  ),
};
export const FailedSettings: Story = {
  tags: ["!test"],
  name: "Settings: failed",
  render: () => (
    <SettingsPage title="Recipes">
      <RecipesSettings {...recipesSettings.args} items={failed} />
    </SettingsPage>
  ),
};

export const Playground: Story = {
  render: () => (
    <TitledPage title="Playground">
      <PlaygroundWithDraft {...playground.args} />
    </TitledPage>
  ),
};

const DOCS_PAGES = [
  { href: "/docs", label: "Overview" },
  ...GROUPS.map(({ name, title }) => ({ href: `/docs/${name}`, label: title })),
];

const DocsPage = ({ title, children }: { title: string; children: ReactNode }) => (
  <TitledPage
    title={
      <>
        <span className="font-normal text-muted">API reference / </span>
        {title}
      </>
    }
  >
    <PageNav
      label="API reference"
      pages={DOCS_PAGES}
      currentHref={DOCS_PAGES.find(({ label }) => label === title)?.href ?? ""}
      onNavigate={doNothing}
    />
    <div className="relative min-h-0 flex-1 overflow-y-auto px-4 py-6">
      <div className="mx-auto grid w-full max-w-3xl gap-8">
        <KeyNotice {...keyNotice.args} />
        {children}
      </div>
    </div>
  </TitledPage>
);

export const Docs: Story = {
  name: "API reference",
  render: () => (
    <DocsPage title="Overview">
      <ReferenceOverview {...referenceOverview.args} />
    </DocsPage>
  ),
};
export const DocsOfGroup: Story = {
  tags: ["!test"],
  name: "API reference: a group",
  render: () => (
    <DocsPage title="Chats">
      <OperationSection {...operationSection.args} />
    </DocsPage>
  ),
};

export const SignIn: Story = {
  tags: ["!test"],
  render: () => (
    <AccountFrame {...accountFrame.args}>
      <LoginForm {...loginForm.args} />
    </AccountFrame>
  ),
};
export const FirstAccount: Story = {
  tags: ["!test"],
  render: () => (
    <AccountFrame
      title="Welcome to Parley"
      lead="Make the owner’s account. It is stored on this server only."
    >
      <SetupForm {...setupForm.args} />
    </AccountFrame>
  ),
};
export const Missing: Story = { name: "404", render: () => <NotFound /> };

export const PhoneChat: Story = { ...onPhone(Chat), name: "Phone: chat" };
export const PhoneNewChat: Story = {
  tags: ["!test"],
  ...onPhone(NewChat),
  name: "Phone: new chat",
};
export const PhoneChatList: Story = {
  ...onPhone({ render: () => <ChatPage messages={CONVERSATION} list={{ open: true }} /> }),
  name: "Phone: chat list",
  play: async () => {
    await expect(await screen.findByRole("dialog", { name: "Chats" })).toBeVisible();
  },
};
export const PhoneStreaming: Story = {
  tags: ["!test"],
  ...onPhone(Streaming),
  name: "Phone: streaming",
};
export const PhoneQueue: Story = { tags: ["!test"], ...onPhone(Queue), name: "Phone: queue" };
export const PhoneForm: Story = { ...onPhone(FormPending), name: "Phone: needs you, a form" };
export const PhoneApproval: Story = {
  ...onPhone(Approval),
  name: "Phone: needs you, an approval",
};
export const PhoneAgents: Story = {
  tags: ["!test"],
  ...onPhone(AwaitingAgents),
  name: "Phone: awaiting agents",
};
export const PhoneFailed: Story = { tags: ["!test"], ...onPhone(Failed), name: "Phone: failed" };
export const PhoneOffline: Story = { tags: ["!test"], ...onPhone(Offline), name: "Phone: offline" };
export const PhoneSettings: Story = { ...onPhone(Models), name: "Phone: settings" };
export const PhonePlayground: Story = { ...onPhone(Playground), name: "Phone: playground" };
export const PhoneDocs: Story = { ...onPhone(Docs), name: "Phone: API reference" };
