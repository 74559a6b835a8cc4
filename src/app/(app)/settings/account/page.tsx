import { AccountScreen } from "./account-screen";

const AccountPage = () => <AccountScreen />;
export default AccountPage;
