"use client";
import { type SubmitEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { CODE_INPUT } from "@/components/ui/code-input";
import { FailureAlert } from "@/components/ui/failure-alert";
import { FormDrawer } from "@/components/ui/form-drawer";
import { type Loadable, Loaded } from "@/components/ui/loaded";
import { TextField } from "@/components/ui/text-field";
import type { DynamicTool } from "@/contract/dynamic-tool";
import type { GroupsConfig } from "@/contract/group";
import type { Problem } from "@/contract/problem";
import { addKeptTool, describeKeeping } from "./keep-tool";

type KeepToolButtonProps = {
  /** Undefined while a field is at fault. */
  tool: DynamicTool | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  groups: Loadable<GroupsConfig>;
  onReload: () => void;
  onSave: (groups: GroupsConfig, onSaved: () => void) => void;
  isSaving: boolean;
  /** Why the tool was not kept. */
  problem: Problem | undefined;
};

/** Keeps the tool of the playground in a group, which other chats then choose by its name. */
export const KeepToolButton = (props: KeepToolButtonProps) => {
  const { tool, open, onOpenChange, groups, onReload } = props;
  const [keptIn, setKeptIn] = useState<string>();
  return (
    <>
      <p role="status" className="min-w-0 text-muted">
        {keptIn !== undefined && (
          <>
            Kept. In any chat, write <code translate="no">@{keptIn}</code> to use it.
          </>
        )}
      </p>
      <Button
        disabled={!tool}
        onClick={() => {
          setKeptIn(undefined);
          onOpenChange(true);
        }}
      >
        Keep as a group
      </Button>
      <FormDrawer open={open} title="Keep as a group" onClose={() => onOpenChange(false)}>
        {(form) => (
          <Loaded loadable={groups} what="groups" onReload={onReload}>
            {(config) =>
              tool && (
                <KeepToolForm
                  {...props}
                  {...form}
                  tool={tool}
                  config={config}
                  onKept={(name) => {
                    setKeptIn(name);
                    onOpenChange(false);
                  }}
                />
              )
            }
          </Loaded>
        )}
      </FormDrawer>
    </>
  );
};

type KeepToolFormProps = Pick<KeepToolButtonProps, "onSave" | "isSaving" | "problem"> & {
  tool: DynamicTool;
  config: GroupsConfig;
  onEdit: () => void;
  onCancel: () => void;
  onKept: (groupName: string) => void;
};

const KeepToolForm = (props: KeepToolFormProps) => {
  const { tool, config, onSave, isSaving, problem, onEdit, onCancel, onKept } = props;
  const [name, setName] = useState("");
  const [wasTried, setTried] = useState(false);
  const effect = describeKeeping(config.groups, { groupName: name, toolName: tool.name });
  const handleSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    if (effect === undefined || isSaving) return;
    onSave(addKeptTool(config, { groupName: name, tool }), () => onKept(name));
  };
  return (
    <form noValidate onSubmit={handleSubmit} aria-label="Keep as a group" className="grid gap-6">
      <FailureAlert title="The tool was not kept" detail={problem?.detail} />
      <p className="text-muted">
        A group brings the tool <code translate="no">{tool.name}</code> to every chat that names it:
        people write @ and its name. You change groups under Settings, Groups.
      </p>
      <TextField
        label="Group"
        {...CODE_INPUT}
        value={name}
        hint={effect ?? "A new name, or that of a group that gets the tool too."}
        error={
          wasTried && effect === undefined
            ? "Enter a name of letters, digits, - and _, such as refunds."
            : undefined
        }
        autoFocus
        onChange={({ target }) => {
          setName(target.value);
          onEdit();
        }}
      />
      <div className="flex flex-wrap gap-3 pb-4">
        <Button type="submit" variant="primary" isBusy={isSaving}>
          Keep
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  );
};
