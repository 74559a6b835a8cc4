import type { JSONSchema7 } from "@ai-sdk/provider";
import * as z from "zod";
import type { ShippedAgentType } from "@/contract/agent-type";
import type { AutoSubmit } from "@/contract/chat";
import type { DynamicTool } from "@/contract/dynamic-tool";
import type { JsonObject, JsonValue } from "@/contract/json";
import type { FieldError } from "@/contract/problem";
import type { CardContent, ToolIcon } from "@/contract/tool";
import { toFieldErrors } from "@/contract/field-errors";
import { runWithTask, type TaskHandle } from "./task";
import type { ToolChat, ToolContext } from "./tool-context";
import type { ToolResult } from "./tool-result";

/** A call whose arguments match the tool. */
export type BoundCall = {
  /** Whether a person must approve it before it runs. May reject. */
  needsApproval: (chat: ToolChat) => Promise<boolean>;
  /** "Always for this chat" covers the calls of the tool with the same scope; null covers all. May throw or reject. */
  approvalScope: () => JsonValue | Promise<JsonValue>;
  /** May reject: a `ToolFailure` becomes an error result, an abort settles the call as interrupted. */
  run: (context: ToolContext) => Promise<ToolResult<unknown>>;
};

/** What is declared of the calls of a tool that clients run. */
export type ToolDefinition = Omit<DynamicTool, "name" | "input_schema">;

/** A call, unique in the database. */
export type CallIdentity = Readonly<{ chatId: string; toolCallId: string }>;

export type RejectedCall = CallIdentity & Readonly<{ args: JsonValue; reason: string }>;

/** A tool of the server: the worker runs its calls, or a program that is connected does. */
export type Tool<Name extends string = string> = {
  kind: "builtin" | "recipe" | "mcp" | "toolset";
  name: Name;
  description: string;
  /** More of the description, which settings may change. Does not reject. */
  describe?: (() => Promise<string>) | undefined;
  parameters: JSONSchema7;
  /** Arguments of a call that works, for models that are taught by examples. */
  example?: JsonObject | undefined;
  /** A schema from outside, by which arguments are checked before `bind`. */
  argumentsSchema?: JsonObject | undefined;
  /** Takes numbers that JavaScript would round as `ExactNumber`; the calls of other tools must not have any. */
  takesExactNumbers?: boolean | undefined;
  /** In the prompt while the tool is offered. */
  systemPrompt?: string | undefined;
  /** Must be the only call of its batch. */
  exclusive: boolean;
  /** The turn ends after a batch with a successful call of it. */
  stopsTurn: boolean;
  /** A call whose process has died is run again, as that does what running it once does. */
  repeatable?: boolean | undefined;
  /** False for an outcome after which the turn rests until a person continues it. */
  autoSubmit?: Partial<AutoSubmit> | undefined;
  /** Not offered to child chats. */
  rootOnly: boolean;
  /** Whether somebody says that its calls change nothing, whom administrators trust in that. Built-in tools have a guide. */
  readOnly?: boolean | undefined;
  /** Shipped agent types whose agents have the tool. */
  agentTypes?: readonly ShippedAgentType[] | undefined;
  /** The text in the `approvalScope` of its calls that patterns match; without it, "always" takes no pattern. */
  approvalPattern?: string | undefined;
  /** Each call that needs an approval has its own: what it runs is not decided by its words. */
  asksEachTime?: boolean | undefined;
  /** How its calls are shown, if it has no card of its own. */
  card?: CardContent | undefined;
  /** Not offered to turns without an advisor. */
  needsAdvisor?: boolean | undefined;
  /** Why this server cannot run the tool, as a sentence with what to do; such a tool is offered to no chat. */
  unavailable?: string | undefined;
  /** Only chats that have chosen the tool are offered it. */
  isForChosen?: boolean | undefined;
  /** What is declared of the calls of a tool that programs run; its `run` is never called. */
  definition?: ToolDefinition | undefined;
  /** What administrators should know of the tool, as a sentence, although this server can run it. */
  notice: () => string | undefined;
  /** Validates arguments. Does not throw. */
  bind: (args: unknown, call: CallIdentity) => BoundCall | FieldError[];
  /** What the model reads of a call that a person rejects, besides the reason; or "". Does not reject. */
  renderRejection?: (call: RejectedCall) => Promise<string>;
};

type ToolInput<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape, z.core.$strip>>;

type ToolRun<Input, Output, More extends unknown[] = []> = (
  context: ToolContext,
  input: Input,
  ...more: More
) => Promise<ToolResult<NoInfer<Output>>>;

type Runs<Input, Output> =
  | { run: ToolRun<Input, Output>; runAsync?: never }
  /** For work that may go on after the call, as a task with this label: the call then returns an `asyncResult`. */
  | { runAsync: ToolRun<Input, Output, [TaskHandle]>; taskLabel: (input: Input) => string };

type ToolDeclaration<Name extends string, Shape extends z.ZodRawShape, Output> = Runs<
  ToolInput<Shape>,
  Output
> & {
  name: Name;
  description: string;
  /** The schema of a completed call's output, by which the tool's card reads it. It only types what `run` returns. */
  output?: z.ZodType<Output>;
  describe?: () => Promise<string>;
  /** Models add keys and write null for what they leave out, so unknown keys and such nulls are dropped. */
  input: z.ZodObject<Shape>;
  /** Arguments of a call that works; without it, they are generated from `input`. */
  example?: NoInfer<z.input<z.ZodObject<Shape>>>;
  /** Converts other spellings of the arguments before they are checked. Does not throw. */
  normalizeArgs?: (args: unknown) => unknown;

  exclusive?: boolean;
  /** What a person has approved "always" is not asked again, whatever this says; see `asksEachTime`. */
  needsApproval?:
    boolean | ((input: ToolInput<Shape>, chat: ToolChat) => boolean | Promise<boolean>);
  /** What "always for this chat" covers, such as one exact command; by default every call of the tool. */
  approvalScope?: (input: ToolInput<Shape>) => JsonValue;
  /** The name of a command line in that scope, which "always" may then cover by a pattern. */
  approvalPattern?: string | undefined;
  /** There is no "always", and rules from before do not count. */
  asksEachTime?: boolean;
  stopsTurn?: boolean;
  repeatable?: boolean;
  rootOnly?: boolean;
  /** Shipped agent types whose agents have the tool. `explore` is for tools that change nothing and ask nobody. */
  agentTypes?: readonly ShippedAgentType[];
  /** For a tool without a card of its own; `detail` and `text` name arguments. */
  card?: {
    label: string;
    icon: ToolIcon;
    detail?: keyof Shape & string;
    text?: { argument: keyof Shape & string; label: string };
  };
  needsAdvisor?: boolean;
  unavailable?: string | undefined;
  notice?: () => string | undefined;
};

/** Declares a built-in tool. */
export const defineTool = <Name extends string, Shape extends z.ZodRawShape, Output = JsonValue>(
  declaration: ToolDeclaration<Name, Shape, Output>,
): Tool<Name> => {
  const { name, description, input, needsApproval = false } = declaration;
  const { normalizeArgs = (args) => args } = declaration;
  const lenient = input.strip();
  return {
    kind: "builtin",
    name,
    description,
    describe: declaration.describe,
    parameters: toParameters(input.strict()),
    example: declaration.example as JsonObject | undefined,
    exclusive: declaration.exclusive ?? false,
    stopsTurn: declaration.stopsTurn ?? false,
    repeatable: declaration.repeatable ?? false,
    rootOnly: declaration.rootOnly ?? false,
    agentTypes: declaration.agentTypes,
    approvalPattern: declaration.approvalPattern,
    asksEachTime: declaration.asksEachTime ?? false,
    card: declaration.card,
    needsAdvisor: declaration.needsAdvisor ?? false,
    unavailable: declaration.unavailable,
    notice: declaration.notice ?? (() => undefined),
    bind: (args) => {
      const parsed = lenient.safeParse(omitNulls(normalizeArgs(args), input));
      if (!parsed.success) return toFieldErrors(parsed.error.issues);
      return {
        needsApproval: async (chat) =>
          typeof needsApproval === "function" ? needsApproval(parsed.data, chat) : needsApproval,
        approvalScope: () => declaration.approvalScope?.(parsed.data) ?? null,
        run: (context) => runDeclared(declaration, context, parsed.data),
      };
    },
  };
};

/** @returns the names of the tools that agents of the shipped type `explore` have. */
export const listExploreTools = (tools: readonly Tool[]): string[] =>
  tools.flatMap(({ name, agentTypes }) => (agentTypes?.includes("explore") ? [name] : []));

const runDeclared = <Input, Output>(
  declaration: Runs<Input, Output>,
  context: ToolContext,
  input: Input,
): Promise<ToolResult<unknown>> => {
  if (!declaration.runAsync) return declaration.run(context, input);
  const { runAsync, taskLabel } = declaration;
  const task = context.openTask({ kind: "tool", label: taskLabel(input), shouldReport: true });
  return runWithTask(task, (handle) => runAsync(context, input, handle));
};

/** Drops the nulls of optional fields. */
const omitNulls = (args: unknown, { shape }: { shape: z.ZodRawShape }): unknown => {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return args;
  const isOptional = (key: string): boolean =>
    Object.hasOwn(shape, key) && z.safeParse(shape[key] ?? z.never(), undefined).success;
  return Object.fromEntries(
    Object.entries(args).filter(([key, value]) => value !== null || !isOptional(key)),
  );
};

const toParameters = (input: z.ZodType): JSONSchema7 => {
  const { $schema, ...parameters } = z.toJSONSchema(input, { target: "draft-7", io: "input" });
  void $schema;
  return parameters as JSONSchema7;
};
