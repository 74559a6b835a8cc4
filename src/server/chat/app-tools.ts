import { insertArtifact } from "@/server/db/artifact-writes";
import type { Database } from "@/server/db/database";
import { createTools, type ToolDeps } from "@/server/tools/registry";
import type { SaveArtifact } from "@/server/tools/tool-context";
import { createToolSources, type ToolSource } from "@/server/tools/tool-source";
import type { Workspaces } from "@/server/tools/workspaces";
import { createStepAdvisors, type StepAdvisors } from "./step-advisors";

/** The tools of a process, and what running them needs. */
export type AppTools = {
  sources: readonly ToolSource[];
  saveArtifact: SaveArtifact;
  stepAdvisors: StepAdvisors;
};

type AppToolsDeps = { db: Database; workspaces: Workspaces; newId: () => string };

/** Creates the sources of tools for turns and for new chats, which must name the same tools. */
export const createAppTools = ({ db, workspaces, newId }: AppToolsDeps): AppTools => {
  const stepAdvisors = createStepAdvisors();
  const deps: ToolDeps = {
    advise: stepAdvisors.advise,
    openWorkspace: workspaces.open,
  };
  return {
    sources: createToolSources(Object.values(createTools(deps))),
    stepAdvisors,
    saveArtifact: ({ chatId, userId, toolCallId }, file) =>
      insertArtifact(db, { id: newId(), chatId, viewer: { userId }, toolCallId, ...file }),
  };
};
