import type { ClaimedChat } from "@/server/db/sql/machine/claim";
import { readHistory } from "@/server/db/sql/reads/message-reads";
import { setGeneratedTitle } from "@/server/db/sql/machine/chat-lifecycle";
import { calculateCostMicros } from "@/server/model/catalog/model-usage";
import { generateTitle } from "@/server/model/generate-title";
import { resolveModel } from "./resolve-models";
import type { ProcessDeps } from "./process-deps";

/** Generates the title of a new chat during its first turn. Best effort: without a title the turn goes on. */
export const nameChat =
  (deps: Pick<ProcessDeps, "db" | "cached" | "recent" | "models" | "newId">) =>
  async (chat: ClaimedChat, signal: AbortSignal): Promise<void> => {
    // The chat that has started an agent has named it.
    if (chat.parentChatId !== null) return;
    if (chat.titled || chat.lastSeq > 1 || chat.status !== "running") return;
    const model = await resolveModel(deps, chat);
    if ("failure" in model) return;
    const [first] = chat.history ?? (await readHistory(deps.db, chat.id));
    const text = first?.parts.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n");
    if (!text) return;
    const generated = await generateTitle(model, text, signal);
    if (!generated) return;
    const named = await setGeneratedTitle(deps.db, {
      chatId: chat.id,
      title: generated.title,
      usageId: deps.newId(),
      model: model.label,
      usage: generated.usage,
      costMicros: calculateCostMicros(generated.usage, model.prices),
    });
    if (named) deps.recent.add({ chat: named, messages: [] });
  };
