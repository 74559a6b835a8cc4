import type { AnyTRPCProcedure } from "@trpc/server";
import type { Operation, StreamOperation } from "./operation";
import { operations, streams } from "./operations/all-operations";
import { mutation, query, router, subscription } from "./trpc";

type Named = (typeof operations)[number] | (typeof streams)[number];

type ProcedureOf<Op> =
  Op extends StreamOperation<infer Input, infer Event>
    ? ReturnType<typeof subscription<Input, Event>>
    : Op extends Operation<infer Input, infer Output>
      ? Op["method"] extends "GET"
        ? ReturnType<typeof query<Input, Output>>
        : ReturnType<typeof mutation<Input, Output>>
      : never;

type GroupOf<Name> = Name extends `${infer Group}.${string}` ? Group : never;
type LocalName<Name> = Name extends `${string}.${infer Local}` ? Local : never;

/** The procedures by group and name: `chats.create` is `create` in `chats`. */
type Procedures = {
  [Group in GroupOf<Named["name"]>]: {
    [
      Op in Extract<Named, { name: `${Group}.${string}` }> as LocalName<Op["name"]>
    ]: ProcedureOf<Op>;
  };
};

const toProcedure = (operation: Operation | StreamOperation): AnyTRPCProcedure => {
  if ("open" in operation) return subscription(operation);
  return operation.method === "GET" ? query(operation) : mutation(operation);
};

const createProcedures = (): Procedures => {
  const procedures: Record<string, Record<string, AnyTRPCProcedure>> = {};
  for (const operation of [...operations, ...streams]) {
    const [group = "", name = ""] = operation.name.split(".");
    (procedures[group] ??= {})[name] = toProcedure(operation);
  }
  return procedures as Procedures;
};

/** The same operations as under `/api/v1`, as procedures. */
export const appRouter = router(createProcedures());
export type AppRouter = typeof appRouter;
