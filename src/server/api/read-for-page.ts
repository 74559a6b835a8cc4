import type * as z from "zod";
import type { AuthServices } from "@/server/auth/auth-services";
import type { Operation } from "./operation";
import { createOperationContext, type SharedDeps } from "./operation-context";

/**
 * Creates the function that runs a reading operation for a page while it is rendered.
 *
 * @returns undefined without a session, and if the operation fails: the page then asks for itself and shows why.
 */
export const createPageReader =
  (deps: SharedDeps & { auth: AuthServices }) =>
  async <Input extends z.ZodType, Output extends z.ZodType>(
    headers: Headers,
    operation: Operation<Input, Output> & { method: "GET" },
    input: z.input<Input>,
  ): Promise<z.output<Output> | undefined> => {
    const actor = await deps.auth.authenticator.findPageActor(headers);
    const parsed = operation.input.safeParse(input);
    if (!actor || !parsed.success) return undefined;
    const context = createOperationContext(deps, actor, operation);
    return operation.run(context, parsed.data).catch(() => undefined);
  };
