"use client";
import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import { useFocusFallback } from "@/components/forms/use-focus-fallback";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import type { McpServer, McpServerInput, UpdateMcpServerInput } from "@/contract/mcp-server";
import type { Problem } from "@/contract/problem";
import type { SetToolModeInput, ToolModes } from "@/contract/tool";
import { type Loadable, Loaded } from "./loaded";
import { McpServerForm } from "./mcp-server-form";
import { McpServerRow, type McpServerTest } from "./mcp-server-row";
import { SettingsList } from "./settings-list";
import { SettingsSection } from "./settings-section";

type McpServersSettingsProps = {
  servers: Loadable<readonly McpServer[]>;
  onReload: () => void;
  /** `onSaved` is called when the server is saved. */
  onCreate: (server: McpServerInput, onSaved: () => void) => void;
  onUpdate: (server: UpdateMcpServerInput, onSaved: () => void) => void;
  isSaving: boolean;
  /** Why the form was not saved. */
  saveProblem: Problem | undefined;
  /** Forgets that problem. */
  onCloseForm: () => void;
  onToggle: (change: Pick<UpdateMcpServerInput, "server_id" | "enabled">) => void;
  onDelete: (serverId: string) => void;
  /** Why the last change of a row failed. */
  changeProblem: Problem | undefined;
  onTest: (serverId: string) => void;
  /** The last test of each server, by its id. */
  tests: Readonly<Record<string, McpServerTest>>;
  modes: ToolModes;
  onSetMode: (change: SetToolModeInput) => void;
};

/** Lists the MCP servers, adds, changes, tests and deletes them, and sets how their tools are offered. */
export const McpServersSettings = (props: McpServersSettingsProps) => {
  const { servers, onReload, onToggle, onDelete, changeProblem, onTest, tests } = props;
  const { modes, onSetMode } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusFallback(heading);
  /** The id of the server whose form is open, or "new". */
  const [open, setOpen] = useState<string>();
  const openForm = (id: string | undefined): void => {
    props.onCloseForm();
    setOpen(id);
  };
  const close = (): void => openForm(undefined);
  return (
    <SettingsSection
      title="MCP servers"
      lead="Tools of other programs, by the Model Context Protocol. Every chat may use them."
      headingRef={heading}
      action={open !== "new" && <AddButton onClick={() => openForm("new")} />}
    >
      {open === "new" && <OpenForm {...props} server={undefined} onClose={close} />}
      {changeProblem !== undefined && (
        <Alert tone="danger" announce="alert" title="The change was not saved">
          {changeProblem.detail}
        </Alert>
      )}
      <Loaded loadable={servers} what="MCP servers" onReload={onReload}>
        {(list) =>
          list.length === 0 ? (
            open !== "new" && <p className="text-muted">There are no MCP servers yet.</p>
          ) : (
            <SettingsList>
              {list.map((server) =>
                server.id === open ? (
                  <li key={server.id} className="p-2">
                    <OpenForm {...props} server={server} onClose={close} />
                  </li>
                ) : (
                  <McpServerRow
                    key={server.id}
                    server={server}
                    test={tests[server.id]}
                    modes={modes}
                    onSetMode={onSetMode}
                    onTest={() => onTest(server.id)}
                    onEdit={() => openForm(server.id)}
                    onToggle={() => onToggle({ server_id: server.id, enabled: !server.enabled })}
                    onDelete={() => onDelete(server.id)}
                  />
                ),
              )}
            </SettingsList>
          )
        }
      </Loaded>
    </SettingsSection>
  );
};

const AddButton = ({ onClick }: { onClick: () => void }) => (
  <Button variant="primary" icon={<Plus aria-hidden size={16} />} onClick={onClick}>
    Add server
  </Button>
);

type OpenFormProps = Pick<
  McpServersSettingsProps,
  "onCreate" | "onUpdate" | "isSaving" | "saveProblem"
> & { server: McpServer | undefined; onClose: () => void };

const OpenForm = (props: OpenFormProps) => {
  const { server, onCreate, onUpdate, isSaving, saveProblem, onClose } = props;
  return (
    <McpServerForm
      server={server}
      onSubmit={(input) =>
        server ? onUpdate({ ...input, server_id: server.id }, onClose) : onCreate(input, onClose)
      }
      onCancel={onClose}
      isBusy={isSaving}
      problem={saveProblem}
    />
  );
};
