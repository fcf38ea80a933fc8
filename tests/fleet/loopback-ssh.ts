/**
 * An `ssh` on PATH, for programs that ask another machine: a stand-in that takes the command lines of contract 09 §11.1
 * and §12.2 and nothing else, or the real one with a real sshd on loopback behind it.
 */
import {
	chmodSync,
	existsSync,
	mkdirSync,
	rmdirSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { waitUntil } from "../support/wait-until.ts";

export interface LoopbackSsh {
	/** In front of PATH. */
	readonly bin: string;
	/** Whom the programs under test ask. */
	readonly destination: string;
	close(): Promise<void>;
}
export type MakeSsh = (
	dir: string,
	/** PATH over there. */
	remotePath: string,
	env?: Readonly<Record<string, string>>,
) => Promise<LoopbackSsh>;

/** The options may be followed by those of the snapshot, then one destination and one command. */
export const standInSsh: MakeSsh = async (dir, remotePath, env = {}) => {
	const bin = join(dir, "ssh-bin");
	mkdirSync(bin);
	const sets = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
	script(
		join(bin, "ssh"),
		`[ "$1 $2 $3 $4 $5" = "-n -o BatchMode=yes -o ConnectTimeout=5" ] || { echo "usage: $*" >&2; exit 64; }
shift 5
if [ "$1 $2 $3 $4" = "-o ServerAliveInterval=5 -o ServerAliveCountMax=1" ]; then shift 4; fi
[ $# = 2 ] && [ "$1" = ana@far ] || { echo "ssh: Could not resolve hostname $1" >&2; exit 255; }
exec env SSH_CONNECTION=stand-in PATH='${remotePath}' ${sets.join(" ")} sh -c "$2"`,
	);
	return { bin, destination: "ana@far", close: async () => {} };
};

const SSHD = "/usr/sbin/sshd";

/** Where an sshd of root changes to before anybody has logged in; a system that starts none lacks it. */
const EMPTY_DIR = "/run/sshd";

/** Null: there is no sshd here. */
export function realSsh(): MakeSsh | null {
	if (!existsSync(SSHD) || !Bun.which("ssh-keygen")) return null;
	return async (dir, remotePath, env = {}) => {
		const at = (name: string) => join(dir, name);
		for (const key of ["host-key", "user-key"])
			Bun.spawnSync(
				["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", at(key)],
				{ env: process.env },
			);
		Bun.spawnSync(["cp", at("user-key.pub"), at("authorized")], {
			env: process.env,
		});
		const port = freePort();
		// The shell over there must not run what the person who tests keeps for logins.
		const sets = Object.entries({ PATH: remotePath, HOME: dir, ...env });
		writeFileSync(
			at("sshd-config"),
			[
				`ListenAddress 127.0.0.1`,
				`Port ${port}`,
				`HostKey ${at("host-key")}`,
				`AuthorizedKeysFile ${at("authorized")}`,
				`PidFile ${at("sshd.pid")}`,
				"StrictModes no",
				"UsePAM no",
				"PasswordAuthentication no",
				`SetEnv ${sets.map(([name, value]) => `${name}=${value}`).join(" ")}`,
				"",
			].join("\n"),
		);
		writeFileSync(
			at("ssh-config"),
			[
				"Host far",
				"HostName 127.0.0.1",
				`Port ${port}`,
				`IdentityFile ${at("user-key")}`,
				"IdentitiesOnly yes",
				"StrictHostKeyChecking no",
				"UserKnownHostsFile /dev/null",
				"LogLevel ERROR",
				"",
			].join("\n"),
		);
		const isMissing = process.getuid?.() === 0 && !existsSync(EMPTY_DIR);
		if (isMissing) mkdirSync(EMPTY_DIR, { mode: 0o755 });
		const server = Bun.spawn([SSHD, "-D", "-e", "-f", at("sshd-config")], {
			env: process.env,
			stdin: "ignore",
			stdout: "ignore",
			stderr: "ignore",
		});
		const bin = at("ssh-bin");
		mkdirSync(bin);
		script(
			join(bin, "ssh"),
			`exec ${Bun.which("ssh")} -F '${at("ssh-config")}' "$@"`,
		);
		await waitUntil("sshd listens", () => existsSync(at("sshd.pid")));
		return {
			bin,
			destination: "far",
			close: async () => {
				server.kill();
				await server.exited;
				if (isMissing) rmdirSync(EMPTY_DIR);
			},
		};
	};
}

function freePort(): number {
	const listener = Bun.listen({
		hostname: "127.0.0.1",
		port: 0,
		socket: { data() {} },
	});
	const { port } = listener;
	listener.stop(true);
	return port;
}

function script(path: string, body: string): void {
	writeFileSync(path, `#!/bin/sh\n${body}\n`);
	chmodSync(path, 0o755);
}
