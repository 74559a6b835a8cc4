import * as z from "zod";
import { PutToolsetInput, Toolset, ToolsetList, ToolsetRef } from "@/contract/toolset";
import { defineOperation } from "@/server/api/operation";
import { deleteToolset } from "@/server/chat/delete-toolset";
import { getToolset, listToolsets, putToolset } from "@/server/settings/manage-toolsets";

export const listToolsetsOperation = defineOperation({
  name: "toolsets.list",
  method: "GET",
  path: "/toolsets",
  summary: "List the toolsets, and the programs that run them; administrators only",
  scope: "toolsets:write",
  input: z.strictObject({}),
  output: ToolsetList,
  status: 200,
  run: async (ctx) => ({ data: await listToolsets(ctx) }),
});

export const getToolsetOperation = defineOperation({
  name: "toolsets.get",
  method: "GET",
  path: "/toolsets/{name}",
  summary: "Get a toolset, and the programs that run it; administrators only",
  scope: "toolsets:write",
  input: ToolsetRef,
  output: Toolset,
  status: 200,
  version: ({ revision }) => revision,
  run: (ctx, { name }) => getToolset(ctx, name),
});

export const putToolsetOperation = defineOperation({
  name: "toolsets.put",
  method: "PUT",
  path: "/toolsets/{name}",
  summary: "Declare tools that programs run for every chat, or replace them; administrators only",
  scope: "toolsets:write",
  input: PutToolsetInput,
  ifMatch: "if_revision",
  output: Toolset,
  status: 200,
  version: ({ revision }) => revision,
  run: putToolset,
});

export const deleteToolsetOperation = defineOperation({
  name: "toolsets.delete",
  method: "DELETE",
  path: "/toolsets/{name}",
  summary: "Remove a toolset, and cancel its open calls; administrators only",
  scope: "toolsets:write",
  input: ToolsetRef,
  output: z.void(),
  status: 204,
  run: (ctx, { name }) => deleteToolset(ctx, name),
});
