import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import type { McpServer, McpServerState, McpServerTestResult } from "@/contract/mcp-server";
import type { Problem } from "@/contract/problem";
import type { SetToolModeInput, ToolModes } from "@/contract/tool";
import { formatCommandLines } from "@/lib/command-lines";
import { formatDuration } from "@/lib/format";
import { McpToolList } from "./mcp-tool-list";
import { SettingsRow, toToggleItem } from "./settings-list";

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
  const { name, transport, enabled, state, error, tools, notices } = server;
  return (
    <SettingsRow
      title={name}
      isCode
      badges={<Badge {...STATE[state]} />}
      facts={[
        transport.type === "http"
          ? transport.url
          : formatCommandLines([[transport.command, ...transport.args]]),
      ]}
      trial={{
        label: "Test",
        accessibleName: `Test ${name}`,
        isBusy: test !== undefined && !test.result && !test.problem,
        onClick: actions.onTest,
      }}
      editing={{
        name,
        onEdit: actions.onEdit,
        items: [toToggleItem(enabled, actions.onToggle)],
        deletion: { ...DELETION, onDelete: actions.onDelete },
      }}
    >
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
    </SettingsRow>
  );
};

const DELETION = {
  message:
    "Its files are deleted, too, and chats can no longer use its tools. You cannot undo this.",
  confirmLabel: "Delete server",
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
