/**
 * A world to run what the texts teach: a root with a private tmux server, an agent's folders, and stand-ins for what
 * would leave the machine. Nothing in it is the checkout's own but the programs.
 */
import {
	existsSync,
	mkdirSync,
	readdirSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { CODE_ROOT, programArgv } from "../../monitor/_sys/names.ts";
import { shellQuote } from "../../monitor/_sys/shell-quote.ts";
import { BUN_DIR } from "../support/bun-dir.ts";
import { openRealRoot } from "../support/real-root.ts";

export interface TaughtWorld {
	/** What a shell says to a command whose placeholders are filled in; output of standard error first. */
	run(command: string): Promise<string>;
	close(): Promise<void>;
}

/** A wait is what they are for, or a whole stack, or every test there is; a login wants a person. */
const SHORTER: readonly (readonly [RegExp, string])[] = [
	[/--timeout 570/, "--timeout 1"],
	[/skeptic reconcile \S+/, "$& --max-iter 0"],
	[/^sleep .*/, ":"],
	[/claude auth login/, "$& --help"],
	[/^\.\/nexus up$|svc\.ts up$/, "$& --dry-run"],
	[/^\.\/nexus test.*/, "./nexus test tests/sys/age"],
];

/** What the words between `<` and `>` stand for. */
const FILL: Readonly<Record<string, string>> = {
	n: "1",
	number: "1",
	issue: "1",
	depth: "1",
	id: "20260511T204201Z-w1-01",
	question: "001",
	fp: "0123456789ab",
	"comment-id": "7",
	model: "haiku",
	effort: "low",
	verb: "watcher-status",
	verdict: "confirmed",
	version: "2.1.999",
	key: "1",
	target_fires: "3",
	"owner/name": "someone/assets",
	url: "https://github.com/someone/assets/issues/1",
};

export function openTaughtWorld(): TaughtWorld {
	const root = openRealRoot();
	const at = (path: string) => join(root.root, path);
	const text = (path: string, content: string) => {
		mkdirSync(dirname(at(path)), { recursive: true });
		writeFileSync(at(path), content);
	};
	const program = (name: string, line: string) => {
		mkdirSync(at("bin"), { recursive: true });
		writeFileSync(at(`bin/${name}`), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
	};
	const fillIn = (command: string) => filled(command, root.root);

	// As agents have it: the programs below $NEXUS_ROOT, reports and work beside them.
	for (const dir of ["reports", "work", ".claude"]) mkdirSync(at(dir));
	// Folders that a text writes into are its own, not the checkout's.
	for (const dir of ["monitor", "config"]) {
		mkdirSync(at(dir), { recursive: true });
		for (const name of readdirSync(join(CODE_ROOT, dir)))
			if (
				![".state", "nexus.yml"].includes(name) &&
				!existsSync(at(`${dir}/${name}`))
			)
				symlinkSync(join(CODE_ROOT, dir, name), at(`${dir}/${name}`));
	}
	for (const name of [
		"resources",
		"skills",
		"nexus",
		"docs",
		"package.json",
		"node_modules",
	])
		symlinkSync(join(CODE_ROOT, name), at(name));
	text("config/nexus.yml", "");
	text("monitor/.state/processed-comments.txt", "comment:1\n");
	text("monitor/.state/watcher-unstick.log", "window=w1\n");
	text("monitor/.state/watcher.log", "[skip-marker] comment 1\n");
	// What a browser saves when an App is given its key.
	text("Downloads/w1.private-key.pem", "a key\n");
	text("x.md", "# A text\n\nof some words.\n");

	// A clone that can be pulled.
	for (const words of [
		"init -q --bare -b main origin.git",
		"init -q -b main",
		"-c user.name=w -c user.email=w@example.org commit -q --allow-empty -m start",
		"remote add origin origin.git",
		"push -q -u origin main",
	])
		Bun.spawnSync(["git", ...words.split(" ")], {
			env: process.env,
			cwd: root.root,
		});

	const shim = programArgv(process.execPath, "thrumShim");
	program("thrum", `exec ${shim.map(shellQuote).join(" ")} "$@"`);
	program("gh", "echo '{}'");
	program("ssh", "exit 255");
	program("sleep", ":");
	root.tmux.run("new-window", "-d", "-n", "w1");

	const env = {
		...root.env,
		PATH: `${at("bin")}:${at("monitor")}:${BUN_DIR}:/usr/bin:/bin`,
	};
	return {
		run: async (command) => {
			// Other commands end the limit of this window, too, and they run side by side.
			text("monitor/.state/over-limit/w1.json", "{}");
			const child = Bun.spawn(["sh", "-c", fillIn(command)], {
				cwd: root.root,
				env,
				stdin: "ignore",
				stdout: "pipe",
				stderr: "pipe",
				timeout: 60_000,
				killSignal: "SIGKILL",
			});
			const [out, err] = await Promise.all([
				child.stdout.text(),
				child.stderr.text(),
			]);
			await child.exited;
			return child.signalCode === null
				? err + out
				: `${err}\nPermission denied: it did not end`;
		},
		close: () => root.close(),
	};
}

/** With something in place of each placeholder: `<window>`, `[--what may be left out]`, `…`. */
function filled(command: string, root: string): string {
	const text = SHORTER.reduce(
		(line, [long, short]) => line.replace(long, short),
		command,
	);
	return text
		.replace(/ \[-{0,2}\w[^\]]*\]/g, "")
		.replace(/…/g, "words")
		.replace(/<([^<>\s][^<>]*)>/g, (_whole, name: string) => {
			if (/path|file|report$/.test(name)) return join(root, "x.md");
			if (/kit/.test(name)) return join(root, "resources");
			if (/workdir|folder|repository|worktree/.test(name)) return root;
			if (/program/.test(name)) return "/bin/true";
			return FILL[name] ?? (/^[\w-]+$/.test(name) ? "w1" : "some words");
		});
}
