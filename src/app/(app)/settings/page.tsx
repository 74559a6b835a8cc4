import { redirect } from "next/navigation";
import { requireUser } from "@/app/session";

const SettingsPage = async () => {
  const { role } = await requireUser();
  redirect(role === "owner" ? "/settings/models" : "/settings/api-keys");
};
export default SettingsPage;
