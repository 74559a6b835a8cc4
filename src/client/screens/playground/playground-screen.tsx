"use client";
import { useShell } from "@/client/screens/shell/shell-context";
import { useStoredValue } from "@/client/local-store";
import { useCreateChat } from "@/client/use-create-chat";
import { useNavigate } from "@/client/use-navigate";
import { useOrigin } from "@/client/use-origin";
import { ToolCode } from "@/components/playground/tool-code";
import { readToolDraft, ToolDraft, toToolErrors } from "@/components/playground/tool-draft";
import { TOOL_EXAMPLES } from "@/components/playground/tool-examples";
import { ToolForm } from "@/components/playground/tool-form";
import { PageHeader } from "@/components/ui/page-header";

const DRAFT_KEY = "parley.playground";

export const PlaygroundScreen = () => {
  const navigate = useNavigate();
  const { openSidebar, waitingCount } = useShell();
  const origin = useOrigin();
  const [draft, setDraft] = useToolDraft();
  const { create, isBusy, problem, reset } = useCreateChat((id) => navigate(`/chats/${id}`));
  const result = readToolDraft(draft);
  const trial = "trial" in result ? result.trial : undefined;
  const refused = toToolErrors(problem);
  const errors = "errors" in result ? result.errors : refused;
  const changeDraft = (next: ToolDraft): void => {
    // What the server refused was about the text before.
    reset();
    setDraft(next);
  };
  const start = (): void => {
    if (trial) create({ content: trial.message, dynamic_tools: [trial.tool] });
  };
  return (
    <>
      <title>Playground · Parley</title>
      <PageHeader onOpenSidebar={openSidebar} waitingCount={waitingCount}>
        <h1 className="truncate text-sm font-semibold">Playground</h1>
      </PageHeader>
      <div className="relative min-h-0 flex-1 overflow-y-auto px-4 py-6 short:flex-none short:overflow-visible">
        <div className="mx-auto grid w-full max-w-6xl gap-6">
          <p className="max-w-2xl text-muted">
            Write a tool, let the model call it, and answer the call yourself. In your programs the
            same takes three requests.
          </p>
          <div
            // Until the stored draft is read, it would replace what is typed.
            inert={origin === ""}
            className="grid items-start gap-8 lg:grid-cols-2"
          >
            <ToolForm
              draft={draft}
              onChange={changeDraft}
              errors={errors}
              onStart={start}
              isStarting={isBusy}
              failure={Object.keys(refused).length > 0 ? undefined : problem?.detail}
            />
            <ToolCode trial={trial} origin={origin} onNavigate={navigate} />
          </div>
        </div>
      </div>
    </>
  );
};

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
