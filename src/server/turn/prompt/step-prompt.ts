import type { LanguageModelV4Prompt, LanguageModelV4ProviderTool } from "@ai-sdk/provider";
import { isRunByClient } from "@/contract/run-by-client";
import type { OmittedFiles } from "@/contract/usage";
import { ADVISOR_GUIDANCE } from "@/server/advisor/prompts";
import type { ChatRow, ToolCallPartRow } from "@/server/db/chats/rows";
import { toModelHistory } from "@/server/machine/model-history";
import { type FileAbilities, findFileAbilities } from "@/server/model/file-abilities";
import type { ChatModel } from "@/server/model/model-step";
import type { Turn, TurnDeps, TurnTools } from "@/server/turn/turn-deps";
import { toToolChat } from "@/server/turn/turn-tools";
import { findFormat } from "@/server/turn/turn-parameters";
import { buildPrompt, createSystemPrompts, listSystemTexts } from "./build-prompt";
import { createFormatPrompt } from "./format-prompt";
import { loadMessageFiles } from "./message-files";
import { loadNewImages } from "./result-images";
import { loadSignedImages } from "./signed-images";

type StepPrompt = {
  prompt: LanguageModelV4Prompt;
  /** Of earlier messages, for which it has no room. */
  omittedFiles: OmittedFiles | undefined;
  /** As in `StepRequest`; absent if the model gets no PDFs. */
  withoutPdfs: (() => Promise<LanguageModelV4Prompt>) | undefined;
};

type StepPromptInput = {
  model: ChatModel;
  tools: TurnTools;
  /** Those that the provider runs. */
  providerTools: readonly LanguageModelV4ProviderTool[];
};

/** Loads the files that a step's prompt has, and builds the prompt. */
export const createStepPrompt = async (
  deps: TurnDeps,
  { chat, history: whole }: Pick<Turn, "chat" | "history">,
  { model, tools, providerTools }: StepPromptInput,
): Promise<StepPrompt> => {
  const { toolbox } = tools;
  const history = toModelHistory(whole);
  const toolChat = toToolChat(chat);
  const last = history.at(-1);
  const images =
    last?.role === "assistant"
      ? await loadNewImages(deps, { chat: toolChat, answer: last })
      : undefined;
  const signedImages =
    model.provider === "google"
      ? await loadSignedImages(deps, { chat: toolChat, history, model: model.label })
      : undefined;
  const build = async (abilities: FileAbilities) => {
    const { files, omitted } = await loadMessageFiles(deps.files, {
      chat: toolChat,
      turn: chat,
      history,
      abilities,
      contextLimit: model.contextLimit,
      signal: deps.signal,
      log: deps.log,
    });
    const prompt = buildPrompt({
      system: listSystemPrompts({ chat, history: whole }, tools),
      history,
      files,
      contextLimit: model.contextLimit,
      onTruncated: (call) => {
        if (isFirstReading(chat, call)) {
          deps.meter.record("truncations", deps.meter.labelTool(call));
        }
      },
      isOffered: (name) => toolbox.offered.get(name) !== undefined,
      ...(images && { images }),
      ...(signedImages && { signedImages }),
      model: model.label,
      offeredByProvider: { provider: model.provider, names: providerTools.map(({ name }) => name) },
    });
    return { prompt, omittedFiles: omitted };
  };
  const abilities = findFileAbilities(model);
  return {
    ...(await build(abilities)),
    withoutPdfs: abilities.pdfs
      ? async () => (await build({ ...abilities, pdfs: false })).prompt
      : undefined,
  };
};

/** Lists the system messages of a chat's prompts, in their order. Those of its history stay when it is summed up. */
export const listSystemPrompts = (
  { chat, history }: Pick<Turn, "chat" | "history">,
  { toolbox, advisor, groups }: TurnTools,
): string[] => {
  const format = findFormat(chat.turnId, history);
  return [
    ...createSystemPrompts(chat, groups),
    ...listSystemTexts(history),
    ...toolbox.systemPrompts,
    format ? createFormatPrompt(format) : "",
    // Last, where a model reads it last and the hand-off finds it.
    advisor ? ADVISOR_GUIDANCE : "",
  ];
};

/** A result of this server was counted when its call settled, others by the first attempt that reads them. */
const isFirstReading = ({ attempt }: ChatRow, { kind }: ToolCallPartRow): boolean =>
  (isRunByClient(kind) || kind === "provider") && attempt <= 1;
