import { type Group, type GroupsConfig, GroupsInput } from "@/contract/group";
import type { Queryable } from "@/server/db/connection/database";
import { createStoredSetting } from "./stored-setting";

/** The groups that administrators have declared; an invalid value counts as none. */
export const groupSetting = createStoredSetting<GroupsConfig>({
  key: "groups",
  parse: (stored) => {
    const { groups = [], version = 0 } = GroupsInput.safeParse(stored).data ?? {};
    return { groups, version };
  },
});

export const readGroups = async (db: Queryable): Promise<readonly Group[]> =>
  (await groupSetting.read(db)).groups;
