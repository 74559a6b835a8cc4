const NotFound = () => (
  <main className="flex min-h-dvh flex-col items-center justify-center gap-3 px-4 text-center">
    <title>Not found · Parley</title>
    <h1 className="text-lg font-semibold">There is nothing at this address</h1>
    <a href="/" className="font-medium text-accent underline underline-offset-2">
      Go to your chats
    </a>
  </main>
);
export default NotFound;
