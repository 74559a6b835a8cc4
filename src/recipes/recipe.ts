import type * as z from "zod";

type Awaitable<Value> = Value | Promise<Value>;

/** Any JSON object, where parameters are a JSON Schema. */
export type JsonRequest = { readonly [name: string]: unknown };

/** What `${name}` stands for in the texts of commands. */
export type RecipeValues = Readonly<Record<string, string | number | boolean>>;

/**
 * The values of `env`, and three that are always there. In functions they are paths of the server; in commands
 * `${workspace}`, `${temp_dir}` and `${temp_file}` are the same places as the sandbox shows them.
 */
export type RecipeEnv = RecipeValues & {
  readonly workspace: string;
  /** An empty directory of the call. */
  readonly temp_dir: string;
  /** A file in it that does not exist yet. */
  readonly temp_file: string;
};

/** How a step has ended. A last step that returns nothing has succeeded without output. */
export type StepResult = { status: "success" | "error"; output: string };

/** A program and its arguments; no shell is added. */
export type CommandStep = readonly [program: string, ...args: string[]];

export type CommandResult = { exitCode: number; stdout: string; stderr: string };

/** The call that a recipe runs for. A run of the settings has only a user. */
export type CallContext = Readonly<{
  userId: string;
  chatId?: string | undefined;
  /** The chat that the workspace belongs to: that of the call, or the one whose agent calls. */
  rootChatId?: string | undefined;
  turnId?: string | undefined;
  /** The message of the model that has the call. */
  messageId?: string | undefined;
  /** The message of a person that the turn answers. */
  replyToMessageId?: string | undefined;
  toolCallId?: string | undefined;
  /** Of the chat, at the time of the call. */
  labels: Readonly<Record<string, string>>;
  /** Where the message came from; `worker` is an event of the server. */
  channel?: "web" | "api" | "worker" | undefined;
  /** Whose call it is: that of the chat itself, or of an agent that it has spawned. */
  agentLevel?: "root" | "child" | undefined;
}>;

export type StepTools = {
  /** What the step before has returned; of a command, what it wrote to stdout. */
  input: unknown;
  env: RecipeEnv;
  context: CallContext;
  /**
   * Converts a path of `env.workspace` as models write it, `data/a.csv` or `/workspace/data/a.csv`, to one of the server.
   *
   * @throws if it leads out of the workspace by its text; links are not looked at.
   */
  resolvePath: (path: string) => string;
  /** Aborted by Stop and at the timeout. */
  signal: AbortSignal;
  /** Shows text in the card while the recipe runs. */
  emit: (text: string) => void;
  /** Runs a command in the sandbox of the recipe. Rejects when it was stopped or could not be started. */
  runCommand: (argv: readonly string[]) => Promise<CommandResult>;
  /** Gets a URL of the public internet, if the recipe has `network`. */
  fetch: (url: string, options?: { headers?: Record<string, string> }) => Promise<FetchedPage>;
};

export type FetchedPage = {
  /** After all redirects. */
  url: string;
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The body as text; of a long one, the beginning. */
  text: string;
  isCut: boolean;
};

export type FunctionStep<Request> = (request: Request, tools: StepTools) => unknown;

export type RecipeStep<Request> = CommandStep | FunctionStep<Request>;

/** A template with `${output}` and the values of `env`, or a function. */
export type OutputPrompt = string | ((output: string) => Awaitable<string>);

export type RecipeOptions<Request> = {
  /** Whether a person decides on a call before it runs. `argv` has the final commands. */
  needsApproval?:
    boolean | ((request: Request, argv: readonly (readonly string[])[]) => Awaitable<boolean>);
  /** The person sees one line in place of the output. */
  hideOutput?: boolean;
  /** Of the whole call. */
  timeoutSeconds?: number;
  /** Whether the recipe may reach the public internet; never loopback, private or metadata addresses. */
  network?: boolean;
  /** Whether a command that fails is followed by the next step. */
  continueOnError?: boolean;
  /** Which files commands find as `${workspace}`: an empty directory of the call, or those of the chat. */
  workspace?: "call" | "chat";
  /** False lets the turn rest after a call that succeeded, or that failed. */
  autoSubmit?: { success?: boolean; error?: boolean };
};

/** A tool whose calls run commands and functions one after another. */
export type Recipe<Request = JsonRequest> = {
  name: string;
  description: string;
  /** What a call needs: an object schema of zod, or a JSON Schema. */
  parameters: z.ZodType<Request> | { readonly [keyword: string]: unknown };
  /** A request that a model may send; it must satisfy `parameters`. */
  example: unknown;
  /** In the prompt of chats that are offered the recipe. */
  systemPrompt?: string | ((example: unknown) => string);
  env?: (request: Request) => Awaitable<RecipeValues | undefined>;
  /** Runs once before the first step, such as to write a file; what it returns is ignored. */
  preCmd?: (env: RecipeEnv, request: Request, call: { context: CallContext }) => unknown;
  steps: readonly RecipeStep<Request>[];
  outputPrompt?: OutputPrompt;
  outputErrorPrompt?: OutputPrompt;
  handlers?: {
    /** Runs first, and may add steps after those of the recipe. */
    setup?: (request: Request, setup: { addStep: (step: RecipeStep<Request>) => void }) => unknown;
    /** Runs once at the end of a call, whatever its end is. */
    onExit?: (request: Request) => unknown;
  };
  /** Texts for the model in place of the two prompts: of each step that succeeded, of the failure, of a rejection. */
  output?: {
    success?: OutputPrompt;
    error?: OutputPrompt;
    rejected?: OutputPrompt;
    /** `output` is what the call had written until it was stopped. */
    cancelled?: OutputPrompt;
  };
  opts?: RecipeOptions<Request>;
};
