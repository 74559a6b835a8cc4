"use client";
import { type ComponentProps, useState } from "react";
import { useCreateChat } from "@/client/use-create-chat";
import { usePendingIds } from "@/client/use-deletions";
import { findModel } from "@/client/find-model";
import { useAttachments } from "@/client/use-attachments";
import { clearDraft, useDraft } from "@/client/use-draft";
import { useModels } from "@/client/use-models";
import { useNavigate } from "@/client/use-navigate";
import { useSlashCommands } from "@/client/use-slash-commands";
import { useNewChatChoice } from "@/client/use-new-chat-choice";
import { type DemoNotice, EmptyChat } from "@/components/chat/empty-chat";
import type { ExamplePrompt } from "@/components/chat/example-prompts";
import { AnswerSettings } from "@/components/composer/answer-settings";
import { Composer } from "@/components/composer/composer";
import { ModelPicker } from "@/components/composer/model-picker";
import { ChatListButton, WHERE_SIDEBAR_IS_HIDDEN } from "@/components/ui/page-header";
import { TemporaryToggle } from "@/components/chat/temporary-toggle";
import { StartingTexts } from "@/components/chat/starting-texts";
import { RecentChats } from "@/components/sidebar/recent-chats";
import type { ChatSummary } from "@/contract/chat";
import type { Model } from "@/contract/model";
import type { ChatParameters, ParametersChange } from "@/contract/parameters";
import type { StartingText } from "@/contract/starting-text";
import type { SentChoice } from "@/lib/tool-choice";
import { useNewestChats, useWaitingChats } from "@/client/use-chat-list";
import { useStartingTexts } from "@/client/use-starting-texts";
import { useShell, useShellActions } from "@/client/screens/shell/shell-context";
import { useChoiceMentions } from "./use-choice-mentions";

const NO_CHOICE = { tools: null, groups: [] };

const toNewChoice = ({ tools, groups }: SentChoice) => ({ groups, ...(tools && { tools }) });

const doNothing = (): void => undefined;

/** Nothing runs or waits before the first message. */
const RESTING = {
  status: "waiting",
  queuedCount: 0,
  isQueuePaused: false,
  openCalls: 0,
  onStop: doNothing,
  onEscape: doNothing,
  onPromoteFirst: doNothing,
} as const;

/** What the page shows of the person. */
export type LoadedHome = {
  models: readonly Model[];
  chats: readonly ChatSummary[];
  waitingChats: readonly ChatSummary[];
  startingTexts: readonly StartingText[];
};

type NewChatScreenProps = {
  /** What the server has rendered, shown while the newest is loaded; absent if the page was open already. */
  loaded: LoadedHome | undefined;
};

export const NewChatScreen = ({ loaded }: NewChatScreenProps) => {
  const navigate = useNavigate();
  const { role } = useShell().user;
  const models = useModels(loaded?.models);
  const { modelId, chosenModel, temporaryToggle, ...pickers } = useNewModel(models);
  const { draft, setDraft, startText, starts } = useNewDraft();
  const { create, send, isBusy, problem } = useCreateChat((id) => navigate(`/chats/${id}`));
  const [choice, setChoice] = useNewChatChoice();
  const mentions = useChoiceMentions({ choice, onChange: setChoice, draft });
  const commands = useSlashCommands(draft);
  const attachments = useAttachments("new");
  const sendDraft = (text: string): void => {
    if (isBusy) return;
    clearDraft("new");
    setChoice(NO_CHOICE);
    send({ content: text, ...toNewChoice(choice), ...chosenModel }, attachments.files);
  };
  // The person's own text stays in the composer for the next chat.
  const startExample = ({ prompt, tool }: ExamplePrompt): void => {
    if (isBusy) return;
    create({ content: prompt, ...(tool && { dynamic_tools: [tool] }), ...chosenModel });
  };
  return (
    <>
      <title>New chat · Parley</title>
      <ListHeader />
      <div className="flex min-h-0 flex-1 flex-col justify-center gap-6 py-6 short:flex-none">
        <div className="min-h-0 overflow-y-auto short:overflow-visible">
          <Home
            loaded={loaded}
            demo={findDemoNotice(models, modelId, role)}
            draft={draft}
            onFill={startText}
            onSelect={startExample}
            disabled={isBusy}
          />
        </div>
        <div className="mx-auto w-full max-w-[46rem] shrink-0 px-4">
          {temporaryToggle}
          <Composer
            key={starts}
            value={draft}
            onChange={setDraft}
            onSend={sendDraft}
            {...RESTING}
            isSending={isBusy || commands.isLoading}
            error={problem?.detail}
            autoFocus
            mentions={mentions}
            commands={commands}
            attachments={attachments}
            {...pickers}
          />
        </div>
      </div>
    </>
  );
};

/** The text of the composer, which a starting text is put before. */
const useNewDraft = () => {
  const [draft, setDraft] = useDraft("new");
  // A new composer takes the focus, with the caret behind the text.
  const [starts, setStarts] = useState(0);
  const startText = (text: string): void => {
    if (!draft.startsWith(text)) setDraft(draft === "" ? text : `${text}\n${draft}`);
    setStarts(starts + 1);
  };
  return { draft, setDraft, startText, starts };
};

type HomeProps = NewChatScreenProps &
  Pick<ComponentProps<typeof EmptyChat>, "demo" | "onSelect" | "disabled"> & {
    /** What is written in the composer. */
    draft: string;
    onFill: (text: string) => void;
  };

/** What a person may begin or go on with. */
const Home = ({ loaded, draft, onFill, ...props }: HomeProps) => {
  const actions = useShellActions();
  const startingTexts = useStartingTexts(loaded?.startingTexts);
  const deletedIds = usePendingIds();
  const isListed = ({ id }: ChatSummary): boolean => !deletedIds.has(id);
  const chats = useNewestChats() ?? loaded?.chats;
  const waitingChats = useWaitingChats() ?? loaded?.waitingChats;
  return (
    <div className="mx-auto w-full max-w-[46rem] px-4 py-1">
      <EmptyChat {...props} isFirst={chats?.length === 0} onNavigate={actions.onNavigate}>
        <RecentChats
          chats={chats?.filter(isListed) ?? []}
          waitingChats={waitingChats?.filter(isListed) ?? []}
          actions={actions}
        />
        <StartingTexts {...startingTexts} draft={draft} onSelect={onFill} />
      </EmptyChat>
    </div>
  );
};

/** The model of the new chat, and how it is called. */
const useNewModel = (models: readonly Model[]) => {
  const [modelId, setModelId] = useState<string | null>(null);
  const [chosen, setChosen] = useState<ChatParameters>({});
  const [isTemporary, setTemporary] = useState(false);
  const model = findModel(models, modelId);
  return {
    modelId,
    chosenModel: {
      ...(modelId !== null && { model_id: modelId }),
      ...chosen,
      ...(isTemporary && { temporary: true }),
    },
    model,
    temporaryToggle: <TemporaryToggle isOn={isTemporary} onChange={setTemporary} />,
    modelPicker: <NewChatModel models={models} value={modelId} onChange={setModelId} />,
    answerSettings: (
      <AnswerSettings
        model={model}
        chosen={chosen}
        onChange={(changed) => setChosen((before) => mergeParameters(before, changed))}
      />
    ),
  };
};

/** @returns what the new chat sets; what was taken back is absent. */
const mergeParameters = (before: ChatParameters, changed: ParametersChange): ChatParameters =>
  Object.fromEntries(
    Object.entries({ ...before, ...changed }).filter(([, value]) => value !== null),
  );

const NewChatModel = (props: ComponentProps<typeof ModelPicker>) =>
  props.models.length > 0 && <ModelPicker {...props} />;

const ListHeader = () => {
  const { openSidebar, waitingCount } = useShell();
  return (
    <header className={WHERE_SIDEBAR_IS_HIDDEN}>
      <div className="flex h-13 items-center px-2">
        <ChatListButton onOpenSidebar={openSidebar} waitingCount={waitingCount} />
      </div>
    </header>
  );
};

/** Whether the demo model answers the next chat, and whether this person may connect another one. */
const findDemoNotice = (
  models: readonly Model[],
  modelId: string | null,
  role: "owner" | "member",
): DemoNotice => {
  const model = findModel(models, modelId);
  if (model?.provider !== "demo") return "none";
  return role === "owner" ? "connectable" : "fixed";
};
