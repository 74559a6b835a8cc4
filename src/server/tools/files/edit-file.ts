import * as z from "zod";
import { diffResult } from "@/server/tools/diff-result";
import { defineTool } from "@/server/tools/tool";
import { ToolFailure } from "@/server/tools/tool-result";
import type { WorkspaceDeps } from "@/server/tools/workspace/workspace";
import { quotePath } from "@/server/tools/workspace/workspace-path";
import { applyEdits } from "./apply-edits";
import { decodeText, refuseMaskedText } from "./file-text";

const MAX_EDITS = 100;
/** Each edit searches the whole text in the process that serves all chats. */
const MAX_FILE_BYTES = 2 * 1024 * 1024;

export const createEditFileTool = ({ openWorkspace }: WorkspaceDeps) =>
  defineTool({
    name: "edit_file",
    description:
      "Replaces parts of a text file in this chat's workspace. All edits are made, one after another, or none. Each old_text must occur exactly once, unless replace_all or expected_count says otherwise. Line ends of the file are kept.",
    example: { path: "notes.md", edits: [{ old_text: "teh", new_text: "the" }] },
    input: z.object({
      path: z.string().min(1).describe("Relative to the workspace."),
      edits: z
        .array(
          z.object({
            old_text: z
              .string()
              .min(1)
              .describe("The text to replace, exactly as in the file, without line numbers."),
            new_text: z.string().describe("The text in its place; empty to delete it."),
            replace_all: z
              .boolean()
              .nullish()
              .describe("Replace old_text wherever it occurs; false when left out."),
            expected_count: z
              .int()
              .min(1)
              .nullish()
              .describe("How many times old_text occurs, to replace it as often."),
          }),
        )
        .min(1)
        .max(MAX_EDITS),
    }),
    run: async (context, { path, edits }) => {
      for (const { new_text } of edits) refuseMaskedText(new_text, path);
      let [before, after, replacements] = ["", "", 0];
      await openWorkspace(context).change(path, {
        create: false,
        change: async (bytes = new Uint8Array()) => {
          if (bytes.length > MAX_FILE_BYTES) {
            throw new ToolFailure(
              `${quotePath(path)} has ${bytes.length} bytes, and files of more than ${MAX_FILE_BYTES} bytes are not edited.`,
            );
          }
          before = await decodeText(bytes, path);
          ({ text: after, replacements } = await applyEdits(before, edits));
          return new TextEncoder().encode(after);
        },
      });
      const summary = `Edited ${quotePath(path)}: ${replacements} ${replacements === 1 ? "replacement" : "replacements"}.`;
      return diffResult(summary, before, after);
    },
  });
