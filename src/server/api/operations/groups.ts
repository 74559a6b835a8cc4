import * as z from "zod";
import { GroupList, GroupsConfig, GroupsInput } from "@/contract/group";
import { defineOperation } from "@/server/api/operation";
import { getGroups, listGroups, setGroups } from "@/server/settings/manage-groups";

export const listGroupsOperation = defineOperation({
  name: "groups.list",
  method: "GET",
  path: "/groups",
  summary: "List the groups of tools that chats may choose, and which of their tools are missing",
  scope: "read",
  input: z.strictObject({}),
  output: GroupList,
  status: 200,
  run: async (ctx) => ({ data: await listGroups(ctx) }),
});

export const getGroupsOperation = defineOperation({
  name: "config.getGroups",
  method: "GET",
  path: "/config/groups",
  summary: "Read the groups of tools with their prompts; administrators only",
  scope: "admin",
  input: z.strictObject({}),
  output: GroupsConfig,
  status: 200,
  run: getGroups,
});

export const setGroupsOperation = defineOperation({
  name: "config.setGroups",
  method: "PUT",
  path: "/config/groups",
  summary: "Replace all groups of tools; administrators only",
  scope: "admin",
  input: GroupsInput,
  output: GroupsConfig,
  status: 200,
  run: setGroups,
});
