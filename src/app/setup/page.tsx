import { redirect } from "next/navigation";
import { appAuth } from "@/server/auth/auth-services";
import { hasOwner } from "@/server/auth/owner";
import { SetupScreen } from "./setup-screen";

const SetupPage = async () => {
  if (await hasOwner(appAuth().db)) redirect("/login");
  return <SetupScreen />;
};
export default SetupPage;
