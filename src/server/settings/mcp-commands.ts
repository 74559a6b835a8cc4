import { DomainError } from "@/contract/domain-error";
import type { McpCommand, McpCommandList, RunMcpCommandInput } from "@/contract/mcp-command";
import type { FieldError } from "@/contract/problem";
import type { ServerContext } from "@/server/context";
import type { CommandContent, SaveCommandFile } from "@/server/mcp/tools/command-text";
import type { OfferedCommand } from "@/server/mcp/tools/offered-commands";

/** Lists the prompts and resources of all MCP servers that are on, for every user, as their tools are. */
export const listMcpCommands = async ({
  mcp,
}: Pick<ServerContext, "mcp">): Promise<McpCommandList> => {
  const links = await mcp.listLinks();
  const lists = await Promise.all(links.map(({ commands }) => commands.list()));
  return {
    data: lists.flatMap(({ commands }) => commands.map(toWireCommand)),
    notices: lists.flatMap(({ notices }) => notices),
  };
};

/**
 * Reads what a command stands for in a message.
 *
 * @throws {DomainError} `not_found`; `invalid` for arguments that do not fit; `unprocessable` when its server does not
 *   give it. Rejects as `save` does, unless with a `ToolFailure`.
 */
export const readMcpCommand = async (
  { mcp }: Pick<ServerContext, "mcp">,
  { name, arguments: args }: RunMcpCommandInput,
  save: SaveCommandFile,
): Promise<Exclude<CommandContent, { problem: string }>> => {
  const server = name.split(":", 1)[0];
  const link = (await mcp.listLinks()).find(({ record }) => record.declaration.name === server);
  const { commands = [], notices = [] } = (await link?.commands.list()) ?? {};
  const command = commands.find((one) => one.name === name);
  if (!link || !command) {
    const reason = link && commands.length === 0 ? (notices[0] ?? "") : "";
    throw new DomainError("not_found", `There is no command "/${name}". ${reason}`.trimEnd());
  }
  const errors = findArgumentErrors(command, args);
  if (errors.length > 0) {
    throw new DomainError("invalid", describeErrors(command, errors), { errors });
  }
  const found = await link.commands.read(command, args, save);
  if ("text" in found) return found;
  throw new DomainError("unprocessable", found.problem);
};

const findArgumentErrors = (
  { arguments: declared }: McpCommand,
  args: Readonly<Record<string, string>>,
): FieldError[] => {
  const names = new Set(declared.map(({ name }) => name));
  return [
    ...declared
      .filter(({ name, required }) => required && !Object.hasOwn(args, name))
      .map(({ name }) => ({ pointer: `/arguments/${name}`, message: "is required" })),
    ...Object.keys(args)
      .filter((name) => !names.has(name))
      .map((name) => ({ pointer: `/arguments/${name}`, message: "is no argument of it" })),
  ];
};

const describeErrors = ({ name }: McpCommand, errors: readonly FieldError[]): string => {
  const texts = errors.map(({ pointer, message }) => `${pointer.split("/").at(-1)} ${message}`);
  return `/${name} cannot be used: ${texts.join(", ")}.`;
};

const toWireCommand = ({
  name,
  kind,
  description,
  arguments: args,
}: OfferedCommand): McpCommand => ({
  name,
  kind,
  description,
  arguments: args,
});
