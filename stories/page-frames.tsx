import type { ComponentProps, ReactNode } from "react";
import { ChatHeader } from "@/components/chat/chat-header";
import type { ChatActivity } from "@/components/chat/chat-activity";
import { MessageList } from "@/components/chat/message-list";
import { joinCallSteps } from "@/components/chat/message-parts";
import { StatusLine } from "@/components/chat/status-line";
import { Composer } from "@/components/composer/composer";
import QueueList from "@/components/composer/queue-list";
import { SettingsLayout } from "@/components/settings/settings-layout";
import { listSettingsPages } from "@/components/settings/settings-pages";
import { Sidebar } from "@/components/sidebar/sidebar";
import { MainArea } from "@/components/ui/main-area";
import { PageHeader } from "@/components/ui/page-header";
import type { MessageView } from "@/contract/chat-view";
import type { ChatStatus } from "@/contract/chat";
import { isBusy } from "@/contract/chat-status";
import type { QueuedMessage } from "@/contract/message";
import chatHeader from "./chat/chat-header.stories";
import { messageActions } from "./chat/fixtures";
import messageList from "./chat/message-list.stories";
import composer from "./composer/composer.stories";
import queueList from "./composer/queue-list.stories";
import { doNothing } from "./do-nothing";
import { CHATS } from "./sidebar/fixtures";
import sidebar from "./sidebar/sidebar.stories";

type PageProps = {
  /** What differs from the stories of the sidebar. */
  list?: Partial<ComponentProps<typeof Sidebar>>;
  children: ReactNode;
};

/** The frame of all pages after sign-in; its parts have the props of their own stories. */
export const Page = ({ list, children }: PageProps) => (
  <div className="flex h-dvh min-w-0 overflow-hidden">
    <Sidebar {...sidebar.args} activeChatId={undefined} {...list} />
    <MainArea className="relative flex min-w-0 flex-1 flex-col short:overflow-y-auto">
      {children}
    </MainArea>
  </div>
);

/** A page with its title in the bar at the top. */
export const TitledPage = ({ title, children }: { title: ReactNode; children: ReactNode }) => (
  <Page>
    <PageHeader onOpenSidebar={doNothing} waitingCount={1}>
      <h1 className="truncate text-sm font-semibold">{title}</h1>
    </PageHeader>
    {children}
  </Page>
);

type ComposerAreaProps = {
  state?: Partial<ComponentProps<typeof Composer>>;
  queue?: readonly QueuedMessage[];
  /** What stands above the composer. */
  note?: ReactNode;
};

export const ComposerArea = ({ state, queue = [], note }: ComposerAreaProps) => (
  <div className="mx-auto grid w-full max-w-[46rem] shrink-0 gap-2 px-4 pb-2">
    {queue.length > 0 && <QueueList {...queueList.args} messages={queue} />}
    {note}
    <Composer {...composer.args} queuedCount={queue.length} {...state} />
  </div>
);

type ChatPageProps = ComposerAreaProps & {
  messages: readonly MessageView[];
  activity?: ChatActivity;
  header?: Partial<ComponentProps<typeof ChatHeader>>;
  timeline?: Partial<ComponentProps<typeof MessageList>>;
  list?: PageProps["list"];
  /** What lies above the page. */
  notice?: ReactNode;
  /** The search of the chat, above its messages. */
  search?: ReactNode;
  /** What follows the messages: forms, an error. */
  children?: ReactNode;
};

/** A chat that is not at rest takes no change of its messages. */
const BUSY_ACTIONS = { ...messageActions, onEditStart: undefined, onRegenerate: undefined };

const [FIRST_CHAT, ...OTHER_CHATS] = CHATS;

/** The list of chats with the chat of the page. */
const toList = (status: ChatStatus, title: string): PageProps["list"] => {
  if (!FIRST_CHAT) throw new Error("The list has no chats.");
  const needs_you = status === "requires_action";
  const chat = { ...FIRST_CHAT, title, status, needs_you };
  return { chats: [chat, ...OTHER_CHATS], activeChatId: chat.id };
};

/** The page of a chat, made of the components that its screen uses. */
export const ChatPage = (props: ChatPageProps) => {
  const { messages, activity = { kind: "idle" }, state, list, notice } = props;
  const status = state?.status ?? "waiting";
  const header = { ...chatHeader.args, ...props.header };
  return (
    <Page list={{ ...toList(status, header.title), ...list }}>
      {notice}
      <ChatHeader {...header} waitingCount={status === "requires_action" ? 2 : 1} />
      {props.search}
      <MessageList
        {...messageList.args}
        messages={joinCallSteps(messages)}
        isTurnRunning={isBusy(status) && status !== "requires_action"}
        actions={isBusy(status) ? BUSY_ACTIONS : messageActions}
        {...props.timeline}
      >
        {props.children}
      </MessageList>
      <div className="mx-auto w-full max-w-[46rem] shrink-0 px-4">
        <StatusLine activity={activity} now={messageList.args.now} />
      </div>
      <ComposerArea {...props} />
    </Page>
  );
};

type SettingsPageProps = { title: string; children: ReactNode };

export const SettingsPage = ({ title, children }: SettingsPageProps) => {
  const groups = listSettingsPages(true);
  const page = groups.flatMap(({ pages }) => pages).find(({ label }) => label === title);
  if (!page) throw new Error(`The settings have no page ${title}.`);
  return (
    <Page>
      <SettingsLayout
        groups={groups}
        currentHref={page.href}
        onNavigate={doNothing}
        onOpenSidebar={doNothing}
        waitingCount={1}
      >
        {children}
      </SettingsLayout>
    </Page>
  );
};
