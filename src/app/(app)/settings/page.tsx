import { redirect } from "next/navigation";

const SettingsPage = () => redirect("/settings/advisor");
export default SettingsPage;
