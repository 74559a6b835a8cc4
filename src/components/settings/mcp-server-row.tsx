import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { IconButton } from "@/components/ui/icon-button";
import { Menu } from "@/components/ui/menu";
import type { McpServer, McpServerState, McpServerTestResult } from "@/contract/mcp-server";
import type { Problem } from "@/contract/problem";
import type { SetToolModeInput, ToolModes } from "@/contract/tool";
import { formatCommandLines } from "@/lib/command-lines";
import { formatDuration } from "@/lib/format";
import { McpToolList } from "./mcp-tool-list";

/** A test of a server; neither result nor problem while it runs. */
export type McpServerTest = { result?: McpServerTestResult; problem?: Problem };

export type McpServerRowActions = {
  onTest: () => void;
  onEdit: () => void;
  onToggle: () => void;
  onDelete: () => void;
};

type McpServerRowProps = McpServerRowActions & {
  server: McpServer;
  /** The last test. */
  test: McpServerTest | undefined;
  modes: ToolModes;
  onSetMode: (change: SetToolModeInput) => void;
};

const STATE: Record<McpServerState, { text: string; tone?: "accent" | "danger" }> = {
  off: { text: "Off" },
  connecting: { text: "Connecting" },
  connected: { text: "Connected", tone: "accent" },
  failed: { text: "Not connected", tone: "danger" },
};

export const McpServerRow = ({ server, test, modes, onSetMode, ...actions }: McpServerRowProps) => {
  const { name, transport, state, error, tools, notices } = server;
  const [isAsking, setAsking] = useState(false);
  return (
    <li className="grid gap-3 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-52">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <code className="min-w-0 font-medium wrap-anywhere">{name}</code>
            <Badge {...STATE[state]} />
          </p>
          <p className="mt-1 text-xs wrap-anywhere text-muted">
            {transport.type === "http"
              ? transport.url
              : formatCommandLines([[transport.command, ...transport.args]])}
          </p>
        </div>
        <RowActions
          {...actions}
          server={server}
          isTesting={test !== undefined && !test.result && !test.problem}
          onDelete={() => setAsking(true)}
        />
      </div>
      <TestResult test={test} />
      {error !== undefined && state !== "connected" && (
        <Alert tone="warning" title="The last attempt to connect failed">
          {error}
        </Alert>
      )}
      {notices.length > 0 && (
        <Alert tone="warning" title="Some tools are not offered">
          <ul className="list-disc pl-5">
            {notices.map((notice) => (
              <li key={notice} className="wrap-anywhere">
                {notice}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      {tools.length > 0 && <McpToolList server={server} modes={modes} onSetMode={onSetMode} />}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Delete “${name}”?`}
        message="Its files are deleted, too, and chats can no longer use its tools. You cannot undo this."
        confirmLabel="Delete server"
        onConfirm={actions.onDelete}
      />
    </li>
  );
};

type RowActionsProps = McpServerRowActions & { server: McpServer; isTesting: boolean };

const RowActions = ({ server, isTesting, ...actions }: RowActionsProps) => {
  const { name, enabled } = server;
  return (
    <div className="flex items-center gap-2">
      <Button size="sm" aria-label={`Test ${name}`} isBusy={isTesting} onClick={actions.onTest}>
        Test
      </Button>
      <Button size="sm" aria-label={`Edit ${name}`} onClick={actions.onEdit}>
        Edit
      </Button>
      <Menu
        trigger={
          <IconButton
            size="sm"
            label={`More for ${name}`}
            icon={<Ellipsis aria-hidden size={16} />}
          />
        }
        items={[
          {
            kind: "item",
            label: enabled ? "Switch off" : "Switch on",
            onSelect: actions.onToggle,
          },
          { kind: "item", label: "Delete", isDestructive: true, onSelect: actions.onDelete },
        ]}
      />
    </div>
  );
};

const TestResult = ({ test }: { test: McpServerTest | undefined }) => {
  if (test?.problem) {
    return (
      <Alert tone="danger" announce="status" title="The server was not tested">
        {test.problem.detail}
      </Alert>
    );
  }
  if (!test?.result) return null;
  const { ok, message, detail, duration_ms } = test.result;
  return (
    <Alert tone={ok ? "success" : "danger"} announce="status" title={message}>
      {ok ? `After ${formatDuration(duration_ms)}.` : detail}
    </Alert>
  );
};
