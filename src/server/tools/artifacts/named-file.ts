import { basename } from "node:path";
import * as z from "zod";
import type { Artifact } from "@/contract/part";
import type { SaveArtifact, ToolChat, ToolContext } from "@/server/tools/tool-context";
import { ToolFailure } from "@/server/tools/tool-result";
import type { WorkspaceDeps } from "@/server/tools/workspace/workspace";
import { detectMediaType } from "./detect-media-type";

/** A file of a chat, whose content is read on request. */
export type OpenedArtifact = Artifact & { read: () => Promise<Uint8Array> };

/** Dependencies of the tools that make files of the workspace files of the chat, and the reverse. */
export type ArtifactDeps = WorkspaceDeps & {
  saveArtifact: SaveArtifact;
  /** @returns undefined for an id that no file of this chat, its root and its other children has. */
  openArtifact: (chat: ToolChat, id: string) => Promise<OpenedArtifact | undefined>;
};

/** The fields by which a call names a file: one of them, not both. */
export const FILE_FIELDS = {
  path: z.string().min(1).optional().describe("A file of the workspace, relative to it."),
  artifact_id: z.string().optional().describe("The id of an artifact of this chat."),
};

type NamedFile = {
  read: () => Promise<Uint8Array>;
  /** Makes it a file of the chat, unless it is one. */
  keep: () => Promise<Artifact>;
};

/** @throws {ToolFailure} when the fields name no file that may be read. */
export const openNamedFile = async (
  deps: ArtifactDeps,
  context: ToolContext,
  { path, artifact_id }: { path?: string | undefined; artifact_id?: string | undefined },
): Promise<NamedFile> => {
  if (path !== undefined && artifact_id === undefined) {
    const bytes = await deps.openWorkspace(context).read(path);
    const name = basename(path);
    return {
      read: () => Promise.resolve(bytes),
      keep: async () => {
        const mediaType = await detectMediaType(bytes, name);
        return deps.saveArtifact(context, { name, mediaType, bytes });
      },
    };
  }
  if (artifact_id === undefined || path !== undefined) {
    throw new ToolFailure("Give either the path of a file in the workspace or an artifact_id.");
  }
  const { read, ...artifact } = await requireArtifact(deps, context, artifact_id);
  return { read, keep: () => Promise.resolve(artifact) };
};

/** @throws {ToolFailure} for an unknown id. */
export const requireArtifact = async (
  { openArtifact }: Pick<ArtifactDeps, "openArtifact">,
  chat: ToolChat,
  id: string,
): Promise<OpenedArtifact> => {
  const artifact = await openArtifact(chat, id);
  if (!artifact) throw new ToolFailure(`There is no artifact ${JSON.stringify(id)} in this chat.`);
  return artifact;
};
