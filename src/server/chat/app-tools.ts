import type { Database } from "@/server/db/database";
import { listStartedSessions } from "@/server/db/exec-session-reads";
import type { ArtifactDeps } from "@/server/tools/artifacts/named-file";
import { createTools, type ToolDeps } from "@/server/tools/registry";
import type { SaveArtifact } from "@/server/tools/tool-context";
import { createToolSources, type ToolSource } from "@/server/tools/tool-source";
import { createWebDeps, type WebSettings } from "@/server/tools/web/web-deps";
import type { Workspaces } from "@/server/tools/workspace/workspaces";
import { createArtifactDeps } from "./artifact-deps";
import { workspacesProblem } from "./check-workspaces";
import { createStepAdvisors, type StepAdvisors } from "./step-advisors";

/** The tools of a process, and what running them needs. */
export type AppTools = {
  sources: readonly ToolSource[];
  saveArtifact: SaveArtifact;
  openArtifact: ArtifactDeps["openArtifact"];
  stepAdvisors: StepAdvisors;
};

type AppToolsDeps = Pick<ToolDeps, "sandbox" | "sessions"> & {
  db: Database;
  workspaces: Workspaces;
  newId: () => string;
  web: WebSettings;
};

/** Creates the sources of tools for turns and for new chats, which must name the same tools. */
export const createAppTools = (app: AppToolsDeps): AppTools => {
  const { db, workspaces, sandbox, sessions, newId, web } = app;
  const stepAdvisors = createStepAdvisors();
  const artifacts = createArtifactDeps({ db, newId });
  const deps: ToolDeps = {
    ...artifacts,
    ...createWebDeps(web),
    advise: stepAdvisors.advise,
    openWorkspace: workspaces.open,
    workspacesProblem: () => workspacesProblem(db).sentence,
    sandbox,
    sessions,
    listStartedSessions: (chatId) => listStartedSessions(db, chatId),
  };
  return {
    sources: createToolSources(Object.values(createTools(deps))),
    stepAdvisors,
    ...artifacts,
  };
};
