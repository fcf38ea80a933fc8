/**
 * Every block of shell in README, docs and what agents are told is run, in a world of its own: the commands are there,
 * and take what they are given. That a command is refused there (no GitHub, no agent in the window) is another test's.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
	existsSync,
	mkdirSync,
	readdirSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { examine } from "../../config/examine.ts";
import { CODE_ROOT, TEXTS } from "../../monitor/_sys/names.ts";
import { openRealRoot, type RealRoot } from "../support/real-root.ts";
import { readText } from "./commands.ts";

const FILES = [
	...[
		"README.md",
		"CHANGELOG.md",
		"SECURITY.md",
		TEXTS.agentPrompt,
		TEXTS.workspaceContract,
	],
	...below("docs"),
	...readdirSync(join(CODE_ROOT, "skills")).flatMap((name) =>
		below(`skills/${name}`),
	),
].filter((path) => existsSync(join(CODE_ROOT, path)));

interface Block {
	readonly path: string;
	readonly line: number;
	/** What stands behind the three marks. */
	readonly kind: string;
	readonly text: string;
}
const BLOCKS: readonly Block[] = FILES.flatMap((path) =>
	blocksOf(path, readText(path)),
);

/** They start, end or fetch what must outlive a test of this size, each with the test that runs it for real. */
const RUN_ELSEWHERE: readonly (readonly [RegExp, string])[] = [
	[/^\.\/nexus demo/, "tests/claude/demo.test.ts"],
	[/^\.\/nexus test/, "tests/nexus/test-runner.test.ts"],
	[/^\.\/nexus (?:up|stop)/, "tests/nexus/verbs.test.ts"],
	[/^git pull/, "tests/clone-drift/clone-drift.test.ts"],
	[/watcher\/launcher\.ts"?$/, "tests/launch/launcher.real.test.ts"],
	[/watcher\/bootstrap\.ts"?$/, "tests/launch/bootstrap.test.ts"],
	[/revive-watcher\.ts"?$/, "tests/launch/faces.real.test.ts"],
	[/spawn-fresh-orchestrator\.ts/, "tests/claude/respawn.test.ts"],
	[/spawn-worker\.ts -n/, "tests/claude/spawn.test.ts"],
	[/start-watcher\.ts/, "tests/fleet/start-watcher.real.test.ts"],
	[/svc\.ts restart/, "tests/services/services.real.test.ts"],
	[/nexus-request --host/, "tests/request/client.test.ts"],
];
/** A wait is what they are for. */
const SHORTER: readonly (readonly [RegExp, string])[] = [
	[/--timeout 570/, "--timeout 1"],
	[/skeptic reconcile \S+/, "$& --max-iter 0"],
	[/^sleep .*/, ":"],
];

/** What the words between `<` and `>` stand for, in the world of this test. */
const FILL: Readonly<Record<string, string>> = {
	n: "1",
	number: "1",
	depth: "1",
	id: "20260511T204201Z-w1-01",
	question: "001",
	fp: "0123456789ab",
	"comment-id": "7",
	model: "haiku",
	effort: "low",
	verdict: "confirmed",
	target_fires: "3",
	"owner/name": "someone/assets",
	url: "https://github.com/someone/assets/issues/1",
};

/** A command that is not there, or that its program does not understand. */
const NOT_UNDERSTOOD =
	/unknown (?:flag|subcommand|argument|command|verb)|unexpected argument|needs a value|^usage:|no verb|: not found|No such file or directory|Permission denied|yntax error|^\s+at .*:\d+:\d+/m;

let root: RealRoot;
let bin: string;
beforeAll(() => {
	root = openRealRoot();
	bin = join(root.root, "bin");
	mkdirSync(bin);
	// As agents have it: the programs below $NEXUS_ROOT, reports and work beside them.
	mkdirSync(join(root.root, "reports"));
	mkdirSync(join(root.root, "work"));
	for (const name of readdirSync(join(CODE_ROOT, "monitor")))
		if (name !== ".state" && !existsSync(join(root.root, "monitor", name)))
			symlinkSync(
				join(CODE_ROOT, "monitor", name),
				join(root.root, "monitor", name),
			);
	for (const name of [
		"resources",
		"config",
		"skills",
		"nexus",
		"docs",
		"package.json",
	])
		symlinkSync(join(CODE_ROOT, name), join(root.root, name));
	writeFileSync(join(root.stateDir, "processed-comments.txt"), "comment:1\n");
	// What a browser saves when an App is given its key.
	mkdirSync(join(root.root, "Downloads"));
	mkdirSync(join(root.root, ".claude"));
	writeFileSync(join(root.root, "Downloads/w1.private-key.pem"), "a key\n");
	writeFileSync(join(root.root, "x.md"), "# A text\n\nof some words.\n");
	const bun = `${process.execPath} --no-env-file --config=/dev/null --no-install`;
	program(
		"thrum",
		`exec ${bun} ${join(CODE_ROOT, "resources/thrum-shim.ts")} "$@"`,
	);
	program("gh", "echo '{}'");
	program("sleep", ":");
	root.tmux.run("new-window", "-d", "-n", "w1");
});
afterAll(async () => root.close(), 30_000);

function program(name: string, line: string): void {
	writeFileSync(join(bin, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
}

describe("shell", () => {
	const shell = BLOCKS.filter((block) => block.kind === "sh");
	const lines = shell.flatMap((block) =>
		block.text.split("\n").flatMap((text, i) => {
			const command = text.trim().replace(/\s+#.*$/, "");
			return command === "" || command.startsWith("#")
				? []
				: [{ ...block, command, line: block.line + 1 + i }];
		}),
	);

	test("is taught in many places, and each that is run elsewhere is taught and tested", () => {
		expect(lines.length).toBeGreaterThan(80);
		for (const [pattern, file] of RUN_ELSEWHERE) {
			expect([file, existsSync(join(CODE_ROOT, file))]).toEqual([file, true]);
			expect([
				String(pattern),
				lines.some((l) => pattern.test(l.command)),
			]).toEqual([String(pattern), true]);
		}
	});

	test("does what it says, as far as this world goes", async () => {
		const isHere = ({ command }: { readonly command: string }) =>
			!RUN_ELSEWHERE.some(([pattern]) => pattern.test(command));
		const queue = shell.map((block) =>
			lines.filter((one) => one.text === block.text).filter(isHere),
		);
		const wrong: string[] = [];
		const work = async () => {
			for (let block = queue.shift(); block; block = queue.shift())
				for (const { path, line, command } of block) {
					const said = await run(filled(command));
					if (NOT_UNDERSTOOD.test(said))
						wrong.push(`${path}:${line}: ${command}\n${said}`);
				}
		};
		await Promise.all(Array.from({ length: 4 }, work));
		expect(wrong).toEqual([]);
	}, 60_000);
});

function filled(command: string): string {
	const text = SHORTER.reduce(
		(line, [long, short]) => line.replace(long, short),
		command,
	);
	return text.replace(/<([^<>\s][^<>]*)>/g, (_whole, name: string) => {
		if (/path|file|report$/.test(name)) return join(root.root, "x.md");
		if (/kit/.test(name)) return join(root.root, "resources");
		if (/workdir|folder|repository|worktree/.test(name)) return root.root;
		if (/program/.test(name)) return "/bin/true";
		return FILL[name] ?? (/^[\w-]+$/.test(name) ? "w1" : "some words");
	});
}

async function run(command: string): Promise<string> {
	const child = Bun.spawn(["sh", "-c", command], {
		cwd: root.root,
		env: {
			...root.env,
			PATH: `${bin}:${root.root}/monitor:${dirname(process.execPath)}:/usr/bin:/bin`,
			NEXUS_STATE_DIR: root.stateDir,
		},
		stdin: "ignore",
		stdout: "pipe",
		stderr: "pipe",
		timeout: 15_000,
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
}

test("settings are read by the configuration's own reader", () => {
	const settings = BLOCKS.filter((block) => block.kind === "yaml");
	expect(settings.length).toBeGreaterThan(0);
	for (const { path, line, text } of settings) {
		const { issues, warnings } = examine(text.replaceAll(/<[^<>]*>/g, "1"));
		expect([
			path,
			line,
			issues.filter(({ message }) => !/expected/.test(message)),
			warnings.filter(({ message }) => /unknown/.test(message)),
		]).toEqual([path, line, [], []]);
		expect(parse(text.replaceAll(/<[^<>]*>/g, "1"))).toBeObject();
	}
});

test("JSON is whole", () => {
	const given = BLOCKS.filter((block) => block.kind === "json");
	expect(given.length).toBeGreaterThan(0);
	for (const { text } of given) expect(JSON.parse(text)).toBeObject();
});

test("every other kind of block is one that nobody types in", () => {
	const kinds = new Set(BLOCKS.map((block) => block.kind));
	expect([...kinds].sort()).toEqual(["", "json", "sh", "yaml"]);
	const typed = BLOCKS.filter(
		({ kind, text }) =>
			kind === "" &&
			/^\s*(?:\.\/nexus|monitor\/|ng |git |cp |mv |chmod |")/m.test(text),
	);
	expect(typed.map(({ path, line }) => `${path}:${line}`)).toEqual([]);
});

function blocksOf(path: string, text: string): readonly Block[] {
	return [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^\1```/gm)].map((m) => ({
		path,
		line: text.slice(0, m.index).split("\n").length,
		kind: m[2] ?? "",
		text: m[3] ?? "",
	}));
}

function below(dir: string): readonly string[] {
	return readdirSync(join(CODE_ROOT, dir))
		.filter((file) => file.endsWith(".md"))
		.map((file) => `${dir}/${file}`);
}
