# Gives what the server wrote to the directories, and a terminal, to the account that root's commands run as. It refuses
# what is not a workspace, as it would take each file below from the server or the whole system.

my ($FILE_TYPE, $DIRECTORY) = (0170000, 0040000);

sub give_to_commands {
  my (@directories) = @_;
  my $account = $settings->{account};
  for my $workspace (@directories) {
    my ($mode, $owner) = (lstat $workspace)[2, 4];
    defined $mode && ($mode & $FILE_TYPE) == $DIRECTORY && $owner == $account or die "not a workspace\n";
    system { $settings->{chown} } "chown", "-RhP", "--from=0", "$account:$account", "--", $workspace;
    exit 1 if $?;
  }
  -t STDIN && (chown($account, -1, *STDIN) or die "terminal: $!\n");
}
