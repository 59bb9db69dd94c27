#!/bin/sh
# without-keyrings.sh SIGNALS bwrap --seccomp 9 …: starts bubblewrap with the filter beside this file as
# descriptor 9: inside, every call to the kernel's keyrings is refused. A process inherits the keyring of its
# user's login, and no namespace takes that away. Where the filter cannot be read, nothing starts.
# bubblewrap ignores SIGNALS, a list with spaces that may be empty.
exec 9<"${0%/*}/no-keyrings.bpf"
for signal in $1; do trap '' "$signal"; done
shift
exec "$@"
