import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import type {
  McpServer,
  McpServerState,
  McpServerTestResult,
  UpdateMcpServerInput,
} from "@/contract/mcp-server";
import { formatCommandLines } from "@/lib/command-lines";
import type { RecordRowProps } from "@/components/settings/editable-list";
import { McpToolList, type McpToolModes } from "./mcp-tool-list";
import { DetailRow, TestOutcome, toToggleItem, type Trial } from "@/components/ui/detail-list";

export type McpServerTrial = Trial<McpServerTestResult>;

type McpServerRowProps = RecordRowProps<McpServer, UpdateMcpServerInput, McpServerTrial> &
  McpToolModes;

const STATE: Record<McpServerState, { text: string; tone?: "accent" | "danger" }> = {
  off: { text: "Off" },
  connecting: { text: "Connecting" },
  connected: { text: "Connected", tone: "accent" },
  failed: { text: "Not connected", tone: "danger" },
};

export const McpServerRow = ({ item, trial, modes, onSetMode, ...actions }: McpServerRowProps) => {
  const { id, name, transport, enabled, state, error, tools, notices } = item;
  const { onTry, onEdit, onChange, onDelete } = actions;
  const allowNetwork = <AllowNetwork server={item} onChange={onChange} />;
  return (
    <DetailRow
      title={name}
      isCode
      badges={<Badge {...STATE[state]} />}
      facts={[
        transport.type === "http"
          ? transport.url
          : formatCommandLines([[transport.command, ...transport.args]]),
      ]}
      trying={{ label: "Test", name: `Test ${name}`, trial, onTry: () => onTry(id) }}
      editing={{
        name,
        onEdit,
        items: [toToggleItem(enabled, () => onChange({ server_id: id, enabled: !enabled }))],
        deletion: { ...DELETION, onDelete: () => onDelete(id) },
      }}
    >
      {trial?.problem && (
        <Alert tone="danger" announce="status" title="The server was not tested">
          {trial.problem.detail}
        </Alert>
      )}
      {trial?.result && <TestOutcome {...trial.result} action={allowNetwork} />}
      {error !== undefined && state !== "connected" && (
        <Alert tone="warning" title="The last attempt to connect failed" action={allowNetwork}>
          <span className="whitespace-pre-line">{error}</span>
        </Alert>
      )}
      {notices.length > 0 && (
        <Alert tone="warning" title="Some tools are not offered">
          <ul className="list-disc pl-6">
            {notices.map((notice) => (
              <li key={notice} className="wrap-anywhere">
                {notice}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      {tools.length > 0 && <McpToolList server={item} modes={modes} onSetMode={onSetMode} />}
    </DetailRow>
  );
};

/** What may help a program that failed. */
const AllowNetwork = ({ server, onChange }: AllowNetworkProps) => {
  const { id, name, transport } = server;
  if (transport.type === "http" || transport.network) return null;
  return (
    <Button
      size="sm"
      aria-label={`Allow the network for ${name}`}
      onClick={() => onChange({ server_id: id, transport: { ...transport, network: true } })}
    >
      Allow the network
    </Button>
  );
};

type AllowNetworkProps = Pick<McpServerRowProps, "onChange"> & { server: McpServer };

const DELETION = {
  message:
    "Its files are deleted, too, and chats can no longer use its tools. You cannot undo this.",
  confirmLabel: "Delete server",
};
