import type { JSONSchema7 } from "@ai-sdk/provider";
import { z } from "zod";
import type { JsonValue } from "@/contract/json";
import { toPointer } from "@/contract/json-pointer";
import type { FieldError } from "@/contract/problem";
import type { BuiltinToolName, ToolOutput } from "@/contract/tool-outputs";
import type { ToolChat, ToolContext, ToolScope } from "./tool-context";
import type { ToolResult } from "./tool-result";

/** A call whose arguments match the tool. */
export type BoundCall = {
  /** Whether a person must approve it before it runs. May reject. */
  needsApproval: (chat: ToolChat) => Promise<boolean>;
  /** May reject: a `ToolFailure` becomes an error result, an abort settles the call as interrupted. */
  run: (context: ToolContext) => Promise<ToolResult<unknown>>;
};

/** A tool that the worker runs. */
export type Tool<Name extends string = string> = {
  kind: "builtin" | "recipe" | "mcp";
  name: Name;
  description: string;
  parameters: JSONSchema7;
  /** Must be the only call of its batch. */
  exclusive: boolean;
  /** The turn ends after a batch with a successful call of it. */
  stopsTurn: boolean;
  /** Not offered to child chats. */
  rootOnly: boolean;
  isOffered: (scope: ToolScope) => boolean;
  /** Validates arguments. Does not throw. */
  bind: (args: unknown) => BoundCall | FieldError[];
};

/** The output that the contract declares for a built-in tool. */
type OutputOf<Name extends string> = Name extends BuiltinToolName ? ToolOutput<Name> : JsonValue;

type ToolDeclaration<Name extends string, Input extends z.ZodType> = {
  name: Name;
  description: string;
  input: Input;
  run: (context: ToolContext, input: z.output<Input>) => Promise<ToolResult<OutputOf<Name>>>;
  exclusive?: boolean;
  /** A function may look up what the chat allows, such as "always for this chat". */
  needsApproval?:
    boolean | ((input: z.output<Input>, chat: ToolChat) => boolean | Promise<boolean>);
  stopsTurn?: boolean;
  rootOnly?: boolean;
  /** For a tool that not every turn can use. */
  isOffered?: (scope: ToolScope) => boolean;
};

/** Declares a built-in tool. */
export const defineTool = <Name extends string, Input extends z.ZodType>(
  declaration: ToolDeclaration<Name, Input>,
): Tool<Name> => {
  const { name, description, input, run, needsApproval = false } = declaration;
  return {
    kind: "builtin",
    name,
    description,
    parameters: toParameters(input),
    exclusive: declaration.exclusive ?? false,
    stopsTurn: declaration.stopsTurn ?? false,
    rootOnly: declaration.rootOnly ?? false,
    isOffered: declaration.isOffered ?? (() => true),
    bind: (args) => {
      const parsed = input.safeParse(args);
      if (!parsed.success) return parsed.error.issues.map(toFieldError);
      return {
        needsApproval: async (chat) =>
          typeof needsApproval === "function" ? needsApproval(parsed.data, chat) : needsApproval,
        run: (context) => run(context, parsed.data),
      };
    },
  };
};

const toParameters = (input: z.ZodType): JSONSchema7 => {
  const { $schema, ...parameters } = z.toJSONSchema(input, { target: "draft-7", io: "input" });
  void $schema;
  return parameters as JSONSchema7;
};

const toFieldError = ({ path, message }: z.core.$ZodIssue): FieldError => ({
  pointer: toPointer(path),
  message,
});
