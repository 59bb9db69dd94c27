// Ways out of a session, tried from inside: each is shell text that exits 0 where the way is open.
// docs/security.md lists the same names with the wall that closes them; a test compares the two.
// The variables are what an attacker who knows the machine knows: paths, pids and sockets outside.

export type Escape = {
  name: string;
  way: string;
  /** Without walls it would harm the machine, or send something out of it: it is tried inside alone. */
  isHarmful?: true;
  /** What closes it without walls, too. */
  other?: string;
};

const connects = (address: string): string =>
  `node -e 'require("net").connect(${address}).on("connect",()=>process.exit(0)).on("error",()=>process.exit(1))'`;
const socket = (variable: string): string => connects(`process.env.${variable}`);
const asPerson = (words: string): string =>
  `unset PAWL_SPOOL PAWL_RUN PAWL_PHASE_FILE PAWL_ISOLATION; PAWL_HOME="$OUT_HOME" XDG_RUNTIME_DIR="$OUT_RUN" node "$MAIN" ${words}`;

/**
 * A decision of a person about something that does not exist: where the factory is reached with a
 * person's rights, that is what it says. A factory without this issue is another one, made inside.
 */
const asAnswered = (words: string): string =>
  `${asPerson("issue list --all")} | grep -q "Get out" && { ${asPerson(words)} > said-$$ 2>&1; grep -qE 'there is no|unknown|not (found|known|waiting)|no run|nothing' said-$$; }`;

/** By their numbers: most machines have no program that makes these calls. */
export const KEY_CALLS =
  process.arch === "arm64" ? { addKey: 217, keyctl: 219 } : { addKey: 248, keyctl: 250 };
const SESSION_KEYRING = `perl -e 'exit(syscall(${KEY_CALLS.keyctl}, 0, -3, 1) > 0 ? 0 : 1)'`;

/** The first bytes of its program, as a debugger reads them. */
const READ_MEMORY = `perl -e 'open M, "<", "/proc/$ENV{OUT_PID}/maps" or exit 1; ($a) = <M> =~ /^([0-9a-f]+)/; open F, "<", "/proc/$ENV{OUT_PID}/mem" or exit 1; sysseek F, hex $a, 0; sysread(F, $b, 4) or exit 1'`;

/** Each must be refused inside walls, also with an open network. */
export const ESCAPES: Escape[] = [
  { name: "read the journal", way: 'cat "$OUT_HOME/pawl.db"' },
  { name: "read the secrets of Pawl", way: 'cat "$OUT_HOME/.env"' },
  { name: "read another run's folder", way: 'ls "$OUT_HOME/projects/$PAWL_PROJECT/runs/9.9"' },
  { name: "read an ssh key", way: 'cat "$HOME/.ssh/id_ed25519"' },
  { name: "read a gpg key", way: 'cat "$HOME/.gnupg/secring.gpg"' },
  { name: "read cloud credentials", way: 'cat "$HOME/.aws/credentials"' },
  { name: "read the forge's command line login", way: 'cat "$HOME/.config/gh/hosts.yml"' },
  { name: "read stored git passwords", way: 'cat "$HOME/.git-credentials"' },
  {
    name: "ask git for a password",
    way: "printf 'protocol=https\\nhost=example.org\\n\\n' | git -c credential.helper=store credential fill | grep -q hunter2",
  },
  { name: "read a file of the home", way: 'cat "$HOME/notes.txt"' },
  { name: "read another program's temporary file", way: 'cat "$OUT_TMP_FILE"' },
  { name: "read the passwords of the system", way: "[ -s /etc/shadow ] && cat /etc/shadow" },
  { name: "use the ssh agent", way: socket("OUT_SSH_AGENT") },
  { name: "use the gpg agent", way: socket("OUT_GPG_AGENT") },
  { name: "use docker", way: socket("OUT_DOCKER") },
  { name: "use the D-Bus session", way: socket("OUT_BUS") },
  { name: "list the tmux sessions", way: 'tmux -S "$OUT_TMUX" list-sessions' },
  {
    name: "type into another pane",
    way: 'tmux -S "$OUT_TMUX" send-keys -t "$(tmux -S "$OUT_TMUX" list-panes -a -F "#{pane_id}" | head -n 1)" x',
  },
  { name: "speak to the daemon", way: socket("OUT_DAEMON") },
  { name: "signal the daemon", way: 'kill -0 "$OUT_DAEMON_PID"' },
  { name: "signal another process", way: 'kill -0 "$OUT_PID"' },
  {
    name: "read another process's environment",
    way: 'tr "\\0" "\\n" < "/proc/$OUT_PID/environ" | grep -q OUT_SECRET',
  },
  { name: "trace another process", way: READ_MEMORY },
  { name: "look into another process's root", way: 'ls "/proc/$OUT_PID/root/"' },
  {
    name: "find a process of the machine",
    way: 'for comm in /proc/[0-9]*/comm; do grep -q "^tmux" "$comm" && exit 0; done; exit 1',
  },
  {
    name: "enter the namespaces of init",
    way: "nsenter -t 1 -m true",
    other:
      "where init has a capability that root here lacks, the kernel refuses to open its namespaces",
  },
  { name: "read a sibling's workspace", way: 'cat "$OUT_SIBLING/secret.txt"' },
  { name: "write into a sibling's workspace", way: ': > "$OUT_SIBLING/evil.txt"' },
  {
    name: "move a ref of the hub",
    way: 'git --git-dir "$OUT_HUB" update-ref refs/heads/evil "$(git rev-parse HEAD~1)"',
  },
  {
    name: "put a hook into the hub",
    way: 'mkdir -p "$OUT_HUB/hooks" && : > "$OUT_HUB/hooks/update"',
  },
  {
    name: "change the hub's configuration",
    way: 'git --git-dir "$OUT_HUB" config core.pager evil',
  },
  {
    name: "push",
    way: "git push -q origin HEAD:refs/heads/evil",
    other: "the push address is disabled",
  },
  {
    name: "push past the disabled address",
    way: 'git push -q "$OUT_HUB" HEAD:refs/heads/evil',
    other: "the hub hides all its refs from pushes (receive.hideRefs)",
  },
  { name: "read the user's repository", way: 'cat "$OUT_REPO/.git/config"' },
  { name: "write into the user's repository", way: ': > "$OUT_REPO/evil.txt"' },
  { name: "follow a link out of the workspace", way: 'ln -sf "$OUT_HOME/.env" out && cat out' },
  { name: "link a file of the machine into the workspace", way: 'ln "$OUT_TMP_FILE" hard' },
  { name: "make a device", way: "mknod disk b 8 0 || mknod disk c 1 1", isHarmful: true },
  {
    name: "read a disk",
    way: 'for disk in /dev/[svx]d[a-z]* /dev/nvme*; do head -c 1 "$disk" && exit 0; done; exit 1',
    other:
      "in containers and some virtual machines root may not open a disk either (EPERM), or there is none",
  },
  {
    name: "change the kernel's settings",
    way: "echo core > /proc/sys/kernel/core_pattern",
    isHarmful: true,
  },
  { name: "press a magic key", way: "echo h > /proc/sysrq-trigger", isHarmful: true },
  {
    name: "write into /sys",
    way: "echo 1 > /sys/kernel/mm/transparent_hugepage/enabled || mkdir /sys/fs/cgroup/evil",
    isHarmful: true,
  },
  { name: "mount", way: "mount -t tmpfs none /mnt || mount -t tmpfs none .", isHarmful: true },
  {
    name: "make the system writable",
    way: "mount -o remount,rw /usr && : > /usr/evil",
    isHarmful: true,
  },
  { name: "make a namespace of its own", way: "unshare -Urm true" },
  { name: "write a program into the system", way: ": > /usr/local/bin/evil", isHarmful: true },
  {
    name: "write a cron job",
    way: ": > /etc/cron.d/evil || : > /var/spool/cron/evil",
    isHarmful: true,
  },
  { name: "set the clock", way: "date -s @1", isHarmful: true },
  { name: "rename the machine", way: "hostname evil", isHarmful: true },
  { name: "open a raw socket", way: "perl -e 'socket(S, 2, 3, 1) or exit 1'" },
  { name: "see shared memory of others", way: 'cat "$OUT_SHM"' },
  {
    name: "reach the user's keyrings",
    way: `${SESSION_KEYRING} || { read -r line < /proc/keys && [ -n "$line" ]; }`,
  },
  { name: "approve its own vault item", way: asAnswered("vault approve 1") },
  { name: "answer its own escalation", way: asAnswered("escalation answer 1 yes") },
  { name: "approve its own change of the gates", way: asAnswered("merge-queue approve 1") },
  { name: "review its own work", way: asAnswered("pr review 1 --approve") },
  {
    name: "read the factory as a person",
    way: `${asPerson("issue list --all")} | grep -q "Get out"`,
  },
  {
    name: "decide through the question channel",
    way: `id=evil-$$
printf '{"v":1,"kind":"ask","id":"%s","method":"POST","path":"/v1/queue/pause"}' "$id" > "$PAWL_SPOOL/tmp/a" && mv "$PAWL_SPOOL/tmp/a" "$PAWL_SPOOL/new/$id.json"
until [ -e "\${PAWL_PHASE_FILE%/*}/answer-$id.json" ]; do sleep 0.05; done
grep -q '"status":200' "\${PAWL_PHASE_FILE%/*}/answer-$id.json"`,
    other: "questions alone are carried, with walls or without them",
  },
  {
    name: "use a file that was left open",
    way: `for file in /proc/self/fd/*; do case $(readlink "$file") in /dev/* | pipe:* | /proc/* | "") ;; *) exit 0 ;; esac; done; exit 1`,
    other: "no file is left open for a session",
  },
  {
    name: "fill the memory behind /tmp",
    way: "dd if=/dev/zero of=/tmp/fill-$$ bs=1M count=64 && rm /tmp/fill-$$",
  },
];

/** With `network = "none"`. */
export const NETWORK_ESCAPES: Escape[] = [
  {
    name: "reach a server on this machine",
    way: connects('Number(process.env.OUT_PORT), "127.0.0.1"'),
  },
  { name: "reach an abstract socket", way: connects('"\\0"+process.env.OUT_ABSTRACT') },
  {
    name: "send a datagram to a name server",
    way: `node -e 'require("dgram").createSocket("udp4").send("x",53,"192.0.2.1",(e)=>process.exit(e?1:0))'`,
    isHarmful: true,
  },
  { name: "reach an address outside", way: connects('80, "192.0.2.1"'), isHarmful: true },
];

const asked = (method: string, header: string): string =>
  `${method} http://allowed.test/ HTTP/1.1\\r\\nHost: allowed.test\\r\\n${header}\\r\\n\\r\\n`;
const HIDDEN = "GET http://other.test/ HTTP/1.1\\r\\nHost: other.test\\r\\n\\r\\n";

/**
 * With `network = "hosts"`: what curl is asked, and what the proxy answers (000: nothing at all). PORT is a
 * service of this machine, OTHER and ALLOWED are addresses of hosts, of which allowed.test alone may be reached.
 */
export const HOST_ESCAPES: {
  name: string;
  asks: string;
  answer: string;
  /** Written to the proxy byte for byte; the answer is every status that comes back. */
  isRaw?: true;
}[] = [
  { name: "reach a host that is not on the list", asks: "http://other.test/", answer: "403" },
  {
    name: "reach a host that is not on the list by CONNECT",
    asks: "-p http://other.test/",
    answer: "000",
  },
  { name: "write its name in another way", asks: "http://OTHER.test./", answer: "403" },
  { name: "reach a host by its address", asks: "http://OTHER/", answer: "403" },
  { name: "reach an allowed host by its address", asks: "http://ALLOWED/", answer: "403" },
  { name: "write an address as a number", asks: "--path-as-is http://NUMBER/", answer: "403" },
  { name: "reach an address of IPv6", asks: "http://[::ffff:OTHER]/", answer: "403" },
  { name: "reach another port of an allowed host", asks: "http://allowed.test:81/", answer: "403" },
  {
    name: "be redirected to a host that is not on the list",
    asks: "-L http://allowed.test/to/other.test",
    answer: "403",
  },
  {
    name: "name another host in the Host header",
    asks: '-H "Host: other.test" http://allowed.test/',
    answer: "400",
  },
  {
    name: "put an allowed name in front of another host",
    asks: "http://allowed.test@other.test/",
    answer: "403",
  },
  {
    name: "reach this machine by an allowed name",
    asks: "http://rebinding.test/",
    answer: "403",
  },
  {
    name: "reach a service of this machine",
    asks: "--noproxy none.test http://localhost:PORT/",
    answer: "403",
  },
  { name: "go past the proxy", asks: "--noproxy '*' http://ALLOWED/", answer: "000" },
  {
    name: "reach this machine past the proxy",
    asks: "--noproxy '*' http://127.0.0.1:PORT/",
    answer: "000",
  },
  {
    name: "change to another protocol on an allowed connection",
    asks: '-H "Connection: Upgrade" -H "Upgrade: h2c" http://allowed.test/',
    answer: "403",
  },
  {
    name: "hide a request behind two ways to say a length",
    asks: `${asked("POST", "Content-Length: 5\\r\\nTransfer-Encoding: chunked")}0\\r\\n\\r\\n${HIDDEN}`,
    answer: "000",
    isRaw: true,
  },
  {
    name: "hide a request behind two lengths",
    asks: `${asked("POST", "Content-Length: 0\\r\\nContent-Length: 60")}${HIDDEN}`,
    answer: "000",
    isRaw: true,
  },
  {
    name: "hide a request behind a length with a space before its colon",
    asks: `${asked("POST", "Content-Length : 60")}${HIDDEN}`,
    answer: "000",
    isRaw: true,
  },
  {
    name: "reach another host by a second request of a connection",
    asks: `${asked("GET", "Connection: keep-alive")}${HIDDEN}`,
    answer: "200 403",
    isRaw: true,
  },
];

/**
 * Traps: nothing is refused at once, but the daemon's own git and wrapper would fall into them. Each
 * would leave a file `trap-…` in the folder `$OUT_TRAPS`, or take one away.
 */
export const TRAPS: Escape[] = [
  {
    name: "a hook of git in the clone",
    way: 'mkdir -p .git/hooks; for hook in post-checkout pre-commit reference-transaction post-index-change; do printf "#!/bin/sh\\n: > $OUT_TRAPS/trap-hook\\n" > ".git/hooks/$hook"; chmod +x ".git/hooks/$hook"; done',
  },
  {
    name: "a monitor of files that git would start",
    way: 'printf "#!/bin/sh\\n: > $OUT_TRAPS/trap-fsmonitor\\n" > .git/monitor; chmod +x .git/monitor; git config core.fsmonitor "$PWD/.git/monitor"',
  },
  {
    name: "a filter that git would start",
    way: 'git config filter.evil.clean "sh -c \\": > $OUT_TRAPS/trap-filter; cat\\""; echo "*.evil filter=evil" > .git/info/attributes; echo x > a.evil',
  },
  {
    name: "programs in git's configuration",
    way: 'for key in core.pager core.editor core.sshCommand gpg.program diff.external core.askPass credential.helper uploadpack.packObjectsHook; do git config "$key" "sh -c \': > $OUT_TRAPS/trap-program\'"; done; git config alias.status "!: > $OUT_TRAPS/trap-alias"',
  },
  {
    name: "a link in place of the exit record",
    way: 'ln -sf "$OUT_TRAPS/keep" "${PAWL_PHASE_FILE%/*}/exit.json.tmp"; ln -sf "$OUT_TRAPS" "${PAWL_PHASE_FILE%/*}/exit.json"; ln -sf "$OUT_TRAPS/trap-ending" "${PAWL_PHASE_FILE%/*}/ending"',
  },
  {
    name: "a pipe in place of a file",
    way: "mkfifo pipe; mkfifo .git/pipe",
  },
  {
    name: "a process that stays behind",
    way: 'setsid -f env -i sleep "$OUT_SLEEP" < /dev/null > /dev/null 2>&1',
  },
];
