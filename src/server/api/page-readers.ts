import type * as z from "zod";
import { listRequestHosts } from "@/server/auth/same-origin";
import { hasOwner } from "@/server/auth/owner";
import type { SessionUser } from "@/server/auth/sessions";
import { showNumbers } from "@/lib/exact-json";
import { opensSetup } from "@/server/auth/setup-code";
import type { Operation } from "./operation";
import { createOperationContext, type SharedDeps } from "./operation-context";
import { openChatOperation } from "./operations/messages";
import { listChatsOperation } from "./operations/chats";
import { listModelsOperation } from "./operations/models";
import { listStartingTextsOperation } from "./operations/starting-texts";

/** Creates what pages read while they are rendered. */
export const createPageReaders = (deps: SharedDeps & { publicDocs: boolean }) => {
  const { auth, publicDocs } = deps;
  /**
   * Runs a reading operation.
   *
   * @returns undefined without a session, and if the operation fails: the page then asks for itself and shows why.
   */
  const toReader =
    <Input extends z.ZodType, Output extends z.ZodType>(
      operation: Operation<Input, Output> & { method: "GET" },
    ) =>
    async (headers: Headers, input: z.input<Input>): Promise<z.output<Output> | undefined> => {
      const actor = await auth.authenticator.findPageActor(headers);
      const parsed = operation.input.safeParse(input);
      if (!actor || !parsed.success) return undefined;
      // A page is rendered whether or not its client waits for it.
      const { signal } = new AbortController();
      const context = createOperationContext(deps, { actor, signal }, operation);
      const read = operation.run(context, parsed.data).then(showNumbers);
      return read.catch(() => undefined);
    };
  return {
    openChat: toReader(openChatOperation),
    listChats: toReader(listChatsOperation),
    listModels: toReader(listModelsOperation),
    listStartingTexts: toReader(listStartingTextsOperation),
    /** Whether everybody may see a page. @param target its path and query. */
    isPublic: (target: string): boolean => publicDocs && /^\/docs(?:[/?]|$)/.test(target),
    hasOwner: (): Promise<boolean> => hasOwner(auth.db),
    /** Whether the code of a link allows making the owner's account. */
    opensSetup: (code: string | undefined): Promise<boolean> => opensSetup(auth.db, code),
    /** @returns the hosts by which the pages of a request may write: its own, and that of the public address. */
    listHosts: (headers: Headers): string[] => [
      ...listRequestHosts(headers),
      ...(auth.publicUrl === null ? [] : [new URL(auth.publicUrl).host]),
    ],
    /** @returns undefined without a valid session. Rendering cannot set cookies, so this does not extend it. */
    findUser: async (headers: Headers): Promise<SessionUser | undefined> =>
      (await auth.authenticator.findSession(headers, { canExtend: false })).session?.user,
  };
};
