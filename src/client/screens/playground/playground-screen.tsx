"use client";
import { useState } from "react";
import { useShell } from "@/client/screens/shell/shell-context";
import { toLoadable, toReload } from "@/client/screens/to-loadable";
import { useStoredValue } from "@/client/local-store";
import { useCreateChat } from "@/client/use-create-chat";
import { useGroups } from "@/client/use-groups";
import { useModels } from "@/client/use-models";
import { useNavigate } from "@/client/use-navigate";
import { useOrigin } from "@/client/use-origin";
import { ModelPicker } from "@/components/composer/model-picker";
import { KeepToolButton } from "@/components/playground/keep-tool-button";
import { Playground } from "@/components/playground/playground";
import {
  readToolDraft,
  ToolDraft,
  toToolErrors,
  type ToolTrial,
} from "@/components/playground/tool-draft";
import { TOOL_EXAMPLES } from "@/components/playground/tool-examples";
import type { DynamicTool } from "@/contract/dynamic-tool";
import { PageHeader } from "@/components/ui/page-header";

const DRAFT_KEY = "parley.playground";

export const PlaygroundScreen = () => {
  const navigate = useNavigate();
  const { user, openSidebar, waitingCount } = useShell();
  const origin = useOrigin();
  const models = useModels();
  const [modelId, setModelId] = useState<string | null>(null);
  const [draft, setDraft] = useToolDraft();
  const { create, isBusy, problem, reset } = useCreateChat((id) => navigate(`/chats/${id}`));
  const result = readToolDraft(draft);
  const trial = "trial" in result ? withModel(result.trial, modelId) : undefined;
  const refused = toToolErrors(problem);
  const changeDraft = (next: ToolDraft): void => {
    // What the server refused was about the text before.
    reset();
    setDraft(next);
  };
  const start = (): void => {
    if (!trial) return;
    const chosenModel = modelId !== null && { model_id: modelId };
    create({ content: trial.message, dynamic_tools: [trial.tool], ...chosenModel });
  };
  return (
    <>
      <title>Playground · Parley</title>
      <PageHeader onOpenSidebar={openSidebar} waitingCount={waitingCount}>
        <h1 className="truncate text-sm font-semibold">Playground</h1>
      </PageHeader>
      <div
        // Until the stored draft is read, it would replace what is typed.
        inert={origin === ""}
        className="contents"
      >
        <Playground
          draft={draft}
          onChange={changeDraft}
          trial={trial}
          errors={"errors" in result ? result.errors : refused}
          onStart={start}
          isStarting={isBusy}
          failure={Object.keys(refused).length > 0 ? undefined : problem?.detail}
          modelPicker={
            models.length > 0 && (
              <ModelPicker models={models} value={modelId} onChange={setModelId} />
            )
          }
          keepButton={user.role === "owner" && <KeepTool tool={trial?.tool} />}
          origin={origin}
          onNavigate={navigate}
        />
      </div>
    </>
  );
};

/** The groups are loaded when they are needed. */
const KeepTool = ({ tool }: { tool: DynamicTool | undefined }) => {
  const [isOpen, setOpen] = useState(false);
  const { query, mutations } = useGroups({ isNeeded: isOpen });
  const { onSave, isSaving, saveProblem, onCloseForm } = mutations;
  return (
    <KeepToolButton
      tool={tool}
      open={isOpen}
      onOpenChange={(open) => {
        onCloseForm();
        setOpen(open);
      }}
      groups={toLoadable(query)}
      onReload={toReload(query)}
      onSave={onSave}
      isSaving={isSaving}
      problem={saveProblem}
    />
  );
};

const withModel = (trial: ToolTrial, modelId: string | null): ToolTrial =>
  modelId === null ? trial : { ...trial, modelId };

/** Stores the draft, so that it survives a reload; it begins with the first example. */
const useToolDraft = (): [ToolDraft, (draft: ToolDraft) => void] => {
  const [stored, setStored] = useStoredValue(DRAFT_KEY);
  return [parseDraft(stored), (draft) => setStored(JSON.stringify(draft))];
};

const parseDraft = (stored: string | null): ToolDraft => {
  const [{ draft }] = TOOL_EXAMPLES;
  if (stored === null) return draft;
  try {
    return ToolDraft.safeParse(JSON.parse(stored)).data ?? draft;
  } catch {
    return draft;
  }
};
