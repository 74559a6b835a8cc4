import type { FieldError } from "@/contract/problem";
import { MAX_REPAIRS } from "@/contract/response-format";
import type { HistoryMessage } from "@/server/db/chats/rows";

/** @returns what is wrong with the form of an answer. */
export const getFormatErrors = ({
  formatCheck,
}: Pick<HistoryMessage, "formatCheck">): readonly FieldError[] =>
  formatCheck && "errors" in formatCheck ? formatCheck.errors : [];

/** Whether an answer without its form is made anew, by what is committed of its turn. */
export const canRepair = (history: readonly HistoryMessage[], turnId: string): boolean => {
  const isRefused = (message: HistoryMessage): boolean =>
    message.turnId === turnId && getFormatErrors(message).length > 0;
  return history.filter(isRefused).length <= MAX_REPAIRS;
};
