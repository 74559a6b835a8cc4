import { useMemo } from "react";
import { useFormFields } from "@/components/ui/use-form-fields";
import { Checkbox } from "@/components/ui/checkbox";
import { CODE_INPUT } from "@/components/ui/code-input";
import { Select } from "@/components/ui/select";
import { TextArea } from "@/components/ui/text-area";
import { TextField } from "@/components/ui/text-field";
import { McpApproval, type McpServer, type McpServerInput } from "@/contract/mcp-server";
import type { Problem } from "@/contract/problem";
import {
  type McpServerDraft,
  toFormProblem,
  toMcpServerDraft,
  toMcpServerInput,
  validateMcpServerDraft,
} from "./mcp-server-draft";
import { SettingsForm } from "./settings-form";

type McpServerFormProps = {
  /** The server that is changed; undefined for a new one. */
  server: McpServer | undefined;
  onSubmit: (server: McpServerInput) => void;
  onCancel: () => void;
  isBusy: boolean;
  /** Why the last attempt failed. */
  problem: Problem | undefined;
};

const TRANSPORTS = [
  { value: "http", label: "Connect to an address" },
  { value: "stdio", label: "Run a program on this server" },
];

const APPROVALS: Record<McpApproval, string> = {
  annotations: "Ask unless the server says that a tool is harmless",
  always: "Ask before every call",
  never: "Never ask",
};

const SECRETS =
  "Secrets come from the environment of this server: ${MCP_TOKEN} is the value of the variable MCP_TOKEN.";

/** Asks for the way to an MCP server, and for what its tools may do. */
export const McpServerForm = (props: McpServerFormProps) => {
  const { server, onSubmit, onCancel, isBusy, problem } = props;
  const form = useFormFields({
    initial: toMcpServerDraft(server),
    validate: validateMcpServerDraft,
    isBusy,
    // Another object is another problem, which takes the focus.
    problem: useMemo(() => toFormProblem(problem), [problem]),
    onSubmit: (draft) => onSubmit(toMcpServerInput(draft, server?.enabled ?? true)),
  });
  const { formRef, handleSubmit, values, change, textField } = form;
  return (
    <SettingsForm
      ref={formRef}
      onSubmit={handleSubmit}
      label={server ? `Edit ${server.name}` : "New MCP server"}
      onCancel={onCancel}
      isBusy={isBusy}
      problem={problem}
      problemTitle="The server was not saved"
    >
      <TextField
        label="Name"
        hint="The names of its tools begin with it, such as github_create_issue."
        autoFocus
        {...CODE_INPUT}
        {...textField("name")}
      />
      <Select
        label="Connection"
        options={TRANSPORTS}
        value={values["transport/type"]}
        onChange={({ target }) =>
          change("transport/type", target.value === "stdio" ? "stdio" : "http")
        }
      />
      {values["transport/type"] === "http" ? <HttpFields {...form} /> : <StdioFields {...form} />}
      <Select
        label="Approvals"
        options={McpApproval.options.map((value) => ({ value, label: APPROVALS[value] }))}
        value={values.approval}
        onChange={({ target }) => change("approval", McpApproval.parse(target.value))}
      />
      <TextField
        label="Time limit of a call, in seconds"
        inputMode="numeric"
        autoComplete="off"
        {...textField("timeout_seconds")}
      />
    </SettingsForm>
  );
};

type Fields = Pick<
  ReturnType<typeof useFormFields<McpServerDraft>>,
  "values" | "change" | "textField"
>;

const HttpFields = ({ values, change, textField }: Fields) => (
  <>
    <TextField
      label="Address"
      hint="The address for streamable HTTP, such as https://mcp.example.org/mcp."
      inputMode="url"
      {...CODE_INPUT}
      {...textField("transport/url")}
    />
    <TextArea
      label="Headers"
      hint={`One per line, such as Authorization: Bearer \${MCP_TOKEN}. ${SECRETS}`}
      isMonospace
      {...CODE_INPUT}
      {...textField("transport/headers")}
    />
    <Checkbox
      label="Allow private addresses"
      hint="For a server on this machine or in its network. Metadata addresses of a cloud are always blocked."
      checked={values["transport/allow_private"] === "yes"}
      onChange={({ target }) => change("transport/allow_private", target.checked ? "yes" : "no")}
    />
  </>
);

const StdioFields = ({ values, change, textField }: Fields) => (
  <>
    <TextField
      label="Command"
      hint="A program and its arguments, without a shell. It runs in the sandbox, in a directory of its own."
      {...CODE_INPUT}
      {...textField("transport/command")}
    />
    <TextArea
      label="Variables"
      hint={`One per line, such as API_TOKEN=\${MCP_TOKEN}. ${SECRETS}`}
      isMonospace
      {...CODE_INPUT}
      {...textField("transport/env")}
    />
    <Checkbox
      label="Allow the network"
      hint="The whole network, including private addresses and this machine."
      checked={values["transport/network"] === "yes"}
      onChange={({ target }) => change("transport/network", target.checked ? "yes" : "no")}
    />
  </>
);
