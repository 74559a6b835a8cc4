"use client";
import { lazy, Suspense, useState } from "react";
import { importPart } from "@/lib/import-part";
import type { McpServer, McpServerInput, UpdateMcpServerInput } from "@/contract/mcp-server";
import { Button } from "@/components/ui/button";
import { FormDrawer } from "@/components/ui/form-drawer";
import type { Problem } from "@/contract/problem";
import { EditableList, type RecordsProps } from "@/components/settings/editable-list";
import { McpServerRow, type McpServerTrial } from "./mcp-server-row";
import type { McpToolModes } from "./mcp-tool-list";

const McpServerForm = lazy(() => importPart(() => import("./mcp-server-form")));
const McpImportForm = lazy(() => importPart(() => import("./mcp-import-form")));

type McpServersSettingsProps = RecordsProps<
  McpServer,
  McpServerInput,
  UpdateMcpServerInput,
  McpServerTrial
> &
  McpToolModes &
  ImportProps;

type ImportProps = {
  /** Adds a server of a pasted configuration. @returns why it was not added. Does not reject. */
  onImport: (server: McpServerInput) => Promise<Problem | undefined>;
};

/** Lists the MCP servers, adds, changes, tests and deletes them, and sets how their tools are offered. */
export const McpServersSettings = (props: McpServersSettingsProps) => (
  <EditableList
    {...props}
    title="MCP servers"
    lead="Tools of other programs, by the Model Context Protocol. Every chat may use them."
    noun="MCP server"
    action={<PasteConfiguration {...props} />}
    getKey={({ id }) => id}
    form={(server, frame) => (
      <McpServerForm
        {...frame}
        server={server}
        onSubmit={(input) =>
          server
            ? props.onUpdate({ ...input, server_id: server.id }, frame.onSaved)
            : props.onCreate(input, frame.onSaved)
        }
      />
    )}
    row={(server, onEdit) => (
      <McpServerRow {...props} item={server} trial={props.trials[server.id]} onEdit={onEdit} />
    )}
  />
);

const PasteConfiguration = ({
  items,
  onImport,
}: Pick<McpServersSettingsProps, "items" | "onImport">) => {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  const names = items.state === "ready" ? items.value.map(({ name }) => name) : [];
  return (
    <>
      <Button disabled={items.state !== "ready"} onClick={() => setOpen(true)}>
        Paste a configuration
      </Button>
      <FormDrawer open={isOpen} title="Paste a configuration" onClose={close}>
        {(form) => (
          <Suspense>
            <McpImportForm {...form} takenNames={names} onImport={onImport} onSaved={close} />
          </Suspense>
        )}
      </FormDrawer>
    </>
  );
};
