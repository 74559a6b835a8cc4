import { redirect } from "next/navigation";
import { findUser } from "@/app/session";
import { appAuth } from "@/server/auth/auth-services";
import { hasOwner } from "@/server/auth/owner";
import { LoginScreen } from "./login-screen";

const LoginPage = async () => {
  if (!(await hasOwner(appAuth().db))) redirect("/setup");
  if (await findUser()) redirect("/");
  return <LoginScreen />;
};
export default LoginPage;
