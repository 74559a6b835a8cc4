import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import type { DrawerForm } from "@/components/ui/form-drawer";
import { Switch } from "@/components/ui/switch";
import { TextArea } from "@/components/ui/text-area";
import { type McpConfigEntry, parseMcpConfig } from "@/contract/mcp-config";
import type { McpServerInput } from "@/contract/mcp-server";
import type { Problem } from "@/contract/problem";
import { formatCommandLines } from "@/lib/command-lines";

type McpImportFormProps = DrawerForm & {
  /** The names of the servers that there are. */
  takenNames: readonly string[];
  /** Adds a server. @returns why it was not added. Does not reject. */
  onImport: (server: McpServerInput) => Promise<Problem | undefined>;
  /** Called when all are added. */
  onSaved: () => void;
};

/** Adds the servers of a configuration that was written for another program, after a look at them. */
const McpImportForm = (props: McpImportFormProps) => {
  const { takenNames, onCancel, onEdit } = props;
  const [text, setText] = useState("");
  const [hasNetwork, setNetwork] = useState(false);
  const parsed = text.trim() === "" ? { entries: [] } : parseMcpConfig(text);
  const entries = "entries" in parsed ? parsed.entries : [];
  const { outcomes, forget, add, isBusy } = useImport(props);
  const servers = entries.flatMap(({ key, server }) =>
    server && !takenNames.includes(server.name) && outcomes[key] !== ADDED ? [{ key, server }] : [],
  );
  const hasPrograms = servers.some(({ server }) => server.transport.type === "stdio");
  return (
    <form
      aria-label="Paste a configuration"
      className="grid gap-6"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (servers.length === 0 || isBusy) return;
        const isAll = servers.length === entries.length;
        const chosen = hasNetwork ? servers.map(allowNetwork) : servers;
        add(chosen, isAll).catch(reportError);
      }}
    >
      <TextArea
        label="Configuration"
        hint='As Claude Desktop, Cursor and VS Code have it: {"mcpServers": {"name": {"command": …}}}.'
        error={"error" in parsed ? parsed.error : undefined}
        isMonospace
        rows={8}
        spellCheck={false}
        autoFocus
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          forget();
          onEdit();
        }}
      />
      {entries.length > 0 && (
        <EntryList entries={entries} takenNames={takenNames} outcomes={outcomes} />
      )}
      {hasPrograms && (
        <Switch
          label="Allow the network for programs"
          hint="Most programs that npx or uvx starts are downloaded first, and need it."
          checked={hasNetwork}
          onChange={({ target }) => setNetwork(target.checked)}
        />
      )}
      <Actions count={servers.length} isBusy={isBusy} onCancel={onCancel} />
    </form>
  );
};
export default McpImportForm;

type ActionsProps = { count: number; isBusy: boolean; onCancel: () => void };

const Actions = ({ count, isBusy, onCancel }: ActionsProps) => (
  <div className="sticky bottom-0 z-10 flex flex-wrap items-center gap-x-3 gap-y-2 border-t bg-surface py-3 short:static">
    <Button type="submit" variant="primary" isBusy={isBusy} disabled={count === 0 && !isBusy}>
      {count > 1 ? `Add ${count} servers` : "Add server"}
    </Button>
    <Button onClick={onCancel}>Cancel</Button>
  </div>
);

type Addition = { key: string; server: McpServerInput };

const ADDED = "Added.";

/** Adds servers one after another, and knows what became of each entry: that it was added, or why not. */
const useImport = ({ onImport, onSaved }: McpImportFormProps) => {
  const [isBusy, setBusy] = useState(false);
  const [outcomes, setOutcomes] = useState<Readonly<Record<string, string>>>({});
  const add = async (servers: readonly Addition[], isAll: boolean): Promise<void> => {
    setBusy(true);
    let hasFailed = false;
    for (const { key, server } of servers) {
      const problem = await onImport(server);
      hasFailed ||= problem !== undefined;
      const outcome = problem ? (problem.errors?.[0]?.message ?? problem.detail) : ADDED;
      setOutcomes((before) => ({ ...before, [key]: outcome }));
    }
    setBusy(false);
    if (isAll && !hasFailed) onSaved();
  };
  return { isBusy, outcomes, forget: () => setOutcomes({}), add };
};

const allowNetwork = ({ key, server: { transport, ...server } }: Addition): Addition => ({
  key,
  server: {
    ...server,
    transport: transport.type === "stdio" ? { ...transport, network: true } : transport,
  },
});

type EntryListProps = Pick<McpImportFormProps, "takenNames"> & {
  entries: readonly McpConfigEntry[];
  /** By the keys of the entries. */
  outcomes: Readonly<Record<string, string>>;
};

const EntryList = ({ entries, takenNames, outcomes }: EntryListProps) => (
  <ul aria-label="Servers" className="divide-y rounded-lg border">
    {entries.map((entry) => (
      <EntryRow
        key={entry.key}
        entry={entry}
        isTaken={takenNames.includes(entry.server?.name ?? "")}
        outcome={outcomes[entry.key]}
      />
    ))}
  </ul>
);

type EntryRowProps = {
  entry: McpConfigEntry;
  isTaken: boolean;
  /** That it was added, or why not. */
  outcome: string | undefined;
};

const EntryRow = ({ entry, isTaken, outcome }: EntryRowProps) => {
  const { key, server } = entry;
  const secrets = Object.keys(server?.secrets ?? {});
  return (
    <li className="grid gap-1 px-4 py-3 text-sm">
      <code translate="no" className="font-medium wrap-anywhere">
        {server?.name ?? key}
      </code>
      {server && (
        <p translate="no" className="font-mono text-xs wrap-anywhere text-muted">
          {describeWay(server.transport)}
        </p>
      )}
      {secrets.length > 0 && (
        <p className="text-xs wrap-anywhere text-muted">Stored encrypted: {secrets.join(", ")}</p>
      )}
      {server?.enabled === false && <p className="text-xs text-muted">Added switched off</p>}
      {outcome === ADDED ? (
        <p role="status" className="text-xs text-success">
          {ADDED}
        </p>
      ) : (
        <ul className="text-xs text-danger">
          {listProblems(entry, isTaken, outcome).map((problem) => (
            <li key={problem} className="wrap-anywhere">
              {problem}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
};

const listProblems = (
  { errors }: McpConfigEntry,
  isTaken: boolean,
  outcome: string | undefined,
): string[] => [
  ...errors,
  ...(isTaken ? ["There is a server with this name already."] : []),
  ...(outcome === undefined ? [] : [outcome]),
];

const describeWay = (transport: McpServerInput["transport"]): string =>
  transport.type === "http"
    ? transport.url
    : formatCommandLines([[transport.command, ...transport.args]]);
