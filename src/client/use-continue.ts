import { useMutation } from "@tanstack/react-query";
import { useTRPC } from "./trpc";
import { useProblem } from "./use-connection";

/** Continues a turn that rests; the effect arrives by the chat's stream. */
export const useContinue = (chatId: string) => {
  const trpc = useTRPC();
  const { mutate, isPending, error } = useMutation(trpc.chats.continue.mutationOptions());
  return {
    continueTurn: (): void => mutate({ chat_id: chatId }),
    isContinuing: isPending,
    problem: useProblem(error),
  };
};
