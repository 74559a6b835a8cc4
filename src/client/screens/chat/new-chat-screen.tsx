"use client";
import { type ComponentProps, useState } from "react";
import { useCreateChat } from "@/client/use-create-chat";
import { useDraft } from "@/client/use-draft";
import { useModels } from "@/client/use-models";
import { useNavigate } from "@/client/use-navigate";
import { useSlashCommands } from "@/client/use-slash-commands";
import { useNewChatChoice } from "@/client/use-new-chat-choice";
import { type DemoNotice, EmptyChat } from "@/components/chat/empty-chat";
import type { ExamplePrompt } from "@/components/chat/example-prompts";
import { Composer } from "@/components/composer/composer";
import { ModelPicker } from "@/components/composer/model-picker";
import { ChatListButton, WHERE_SIDEBAR_IS_HIDDEN } from "@/components/ui/page-header";
import type { Model } from "@/contract/model";
import type { SentChoice } from "@/lib/tool-choice";
import { useShell } from "@/client/screens/shell/shell-context";
import { useChoiceMentions } from "./use-choice-mentions";

const NO_CHOICE = { tools: null, groups: [] };

const toNewChoice = ({ tools, groups }: SentChoice) => ({ groups, ...(tools && { tools }) });

const doNothing = (): void => undefined;

type NewChatScreenProps = {
  /** The models that the server has rendered; absent if the page was open already. */
  loadedModels: readonly Model[] | undefined;
};

export const NewChatScreen = ({ loadedModels }: NewChatScreenProps) => {
  const navigate = useNavigate();
  const { user } = useShell();
  const models = useModels(loadedModels);
  const [modelId, setModelId] = useState<string | null>(null);
  const [draft, setDraft] = useDraft("new");
  const { create, send, isBusy, problem } = useCreateChat((id) => navigate(`/chats/${id}`));
  const [choice, setChoice] = useNewChatChoice();
  const mentions = useChoiceMentions({ choice, onChange: setChoice, draft });
  const commands = useSlashCommands(draft);
  const chosenModel = modelId !== null && { model_id: modelId };
  const sendDraft = (text: string): void => {
    if (isBusy) return;
    setDraft("");
    setChoice(NO_CHOICE);
    send({ content: text, ...toNewChoice(choice), ...chosenModel });
  };
  // The person's own text stays in the composer for the next chat.
  const startExample = ({ prompt, tool }: ExamplePrompt): void => {
    if (isBusy) return;
    create({ content: prompt, ...(tool && { dynamic_tools: [tool] }), ...chosenModel });
  };
  const demo = findDemoNotice(models, modelId, user.role);
  return (
    <>
      <title>New chat · Parley</title>
      <ListHeader />
      <div className="flex min-h-0 flex-1 flex-col justify-center gap-6 py-6 short:flex-none">
        <div className="min-h-0 overflow-y-auto short:overflow-visible">
          <EmptyChat onSelect={startExample} demo={demo} onNavigate={navigate} disabled={isBusy} />
        </div>
        <div className="mx-auto w-full max-w-[46rem] shrink-0 px-4">
          <Composer
            value={draft}
            onChange={setDraft}
            onSend={sendDraft}
            onStop={doNothing}
            onEscape={doNothing}
            onPromoteFirst={doNothing}
            status="waiting"
            queuedCount={0}
            isQueuePaused={false}
            openCalls={0}
            isSending={isBusy || commands.isLoading}
            error={problem?.detail}
            autoFocus
            mentions={mentions}
            commands={commands}
            modelPicker={<NewChatModel models={models} value={modelId} onChange={setModelId} />}
          />
        </div>
      </div>
    </>
  );
};

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
  const model = models.find(({ id, is_default: isDefault }) =>
    modelId === null ? isDefault : id === modelId,
  );
  if (model?.provider !== "demo") return "none";
  return role === "owner" ? "connectable" : "fixed";
};
