/**
 * Every block of shell, and every whole command in a line of text, is run in a world of its own: the commands are there,
 * and take what they are given. That a command is refused there (no GitHub, no agent in the window) is another test's.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { parse } from "yaml";
import { examine } from "../../config/examine.ts";
import { CODE_ROOT } from "../../monitor/_sys/names.ts";
import { readText, snippets, taughtCommands } from "./commands.ts";
import { openTaughtWorld, type TaughtWorld } from "./taught-world.ts";

const FILES = ["*.md", "{docs,skills,monitor,resources}/**/*.md"]
	.flatMap((glob) => [...new Bun.Glob(glob).scanSync({ cwd: CODE_ROOT })])
	.sort();

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

/** They start or end what must outlive a test of this size, each with the test that runs it for real, and how it stands there. */
const RUN_ELSEWHERE: readonly (readonly [RegExp, string, string])[] = [
	[/^\.\/nexus demo(?! --stop)/, "tests/claude/demo.test.ts", '"demo"'],
	[/^\.\/nexus sim/, "tests/sim/nights.real.test.ts", '"sim"'],
	[
		/watcher\/launcher\.ts"?$/,
		"tests/claude/loop.test.ts",
		"watcher/launcher.ts",
	],
	[
		/launcher\.ts --replace/,
		"tests/launch/launcher.real.test.ts",
		'"--replace"',
	],
	[/watcher\/bootstrap\.ts"?$/, "tests/claude/loop.test.ts", "bootstrap.ts"],
	[/revive-watcher\.ts"?$/, "tests/launch/faces.real.test.ts", '"revive"'],
	[/spawn-fresh-orchestrator\.ts/, "tests/claude/respawn.test.ts", '"--fresh"'],
	[/spawn-worker\.ts -n/, "tests/claude/loop.test.ts", "spawn-worker.ts -n"],
	[/start-watcher\.ts/, "tests/fleet/start-watcher.real.test.ts", "w1"],
	[/svc\.ts restart/, "tests/services/services.real.test.ts", '"restart"'],
	[/svc\.ts logs/, "tests/svc/verbs.test.ts", '"logs"'],
	[/nexus-request --host/, "tests/request/client.test.ts", "nexus-request"],
	[/apply\.ts safe/, "tests/cc/prove.real.test.ts", "prove"],
	// It would write into the checkout itself.
	[/^bun config\/generate\.ts/, "tests/config/template.test.ts", "generated("],
];

/** A command that is not there, or no verb of its program. */
const NOT_THERE =
	/unknown (?:subcommand|command|verb)|no verb|: not found|No such file or directory|Permission denied|yntax error|^\s+at .*:\d+:\d+/m;
/** One that its program does not understand. */
const NOT_UNDERSTOOD = RegExp(
	`${NOT_THERE.source}|unknown (?:flag|argument)|unexpected argument|needs a value|^usage:`,
	"m",
);

let world: TaughtWorld;
beforeAll(() => {
	world = openTaughtWorld();
});
afterAll(async () => world.close(), 30_000);

interface Taught {
	readonly path: string;
	readonly line: number;
	readonly command: string;
}
const SHELL: readonly (readonly Taught[])[] = BLOCKS.filter(
	({ kind }) => kind === "sh",
).map(({ path, line, text }) =>
	text.split("\n").flatMap((raw, i) => {
		const command = raw.trim().replace(/\s+#.*$/, "");
		return command === "" || command.startsWith("#")
			? []
			: [{ path, line: line + 1 + i, command }];
	}),
);
const IN_BLOCKS = new Set(SHELL.flat().map(({ command }) => command));

/** Whole commands in the running text, each once; a changelog tells of commands, and teaches none. */
const IN_LINES: readonly Taught[] = [
	...new Map(
		FILES.filter((path) => path !== "CHANGELOG.md")
			.flatMap((path) =>
				snippets(readText(path)).map(({ text, line }) => ({
					path,
					line,
					command: text,
				})),
			)
			.filter(({ command }) => isWhole(command) && !IN_BLOCKS.has(command))
			.map((taught) => [taught.command, taught]),
	).values(),
];

/** A program of ours with a word behind it, or a tool of the system with what it is given. */
function isWhole(command: string): boolean {
	return (
		taughtCommands(`\`${command}\``).some(({ words }) => words.length > 1) ||
		/^(?:cp|chmod|rm|git|node_modules\/\S+) (?:.*[/.]|.*HEAD|auth)/.test(
			command,
		) ||
		/^(?:bun \w+\/|(?:ls|tail|grep|tmux|git (?:diff|pull)|npm config)(?: |$))/.test(
			command,
		)
	);
}

/** `ng wrap-up` names a verb without what it needs; who asks for help gets the usage. */
function complaintsOf(command: string): RegExp {
	const isName = taughtCommands(`\`${command}\``).every(({ words }) =>
		words.slice(1).every((word) => /^[a-z][a-z-]*$/.test(word)),
	);
	return isName || /(?:--help|\bhelp)$/.test(command)
		? NOT_THERE
		: NOT_UNDERSTOOD;
}

const isHere = ({ command }: Taught) =>
	!RUN_ELSEWHERE.some(([pattern]) => pattern.test(command));

describe("shell", () => {
	const all = [...SHELL.flat(), ...IN_LINES];

	test("is taught in many places, and each that is run elsewhere is taught and tested", () => {
		expect(SHELL.flat().length).toBeGreaterThan(80);
		expect(IN_LINES.length).toBeGreaterThan(60);
		for (const [pattern, file, name] of RUN_ELSEWHERE) {
			expect([file, readText(file).includes(name)]).toEqual([file, true]);
			expect([
				String(pattern),
				all.some(({ command }) => pattern.test(command)),
			]).toEqual([String(pattern), true]);
		}
	});

	test("in blocks does what it says, as far as this world goes", async () => {
		expect(await complaints(SHELL, () => NOT_UNDERSTOOD)).toEqual([]);
	}, 240_000);

	test("in lines does so, too", async () => {
		const each = IN_LINES.map((taught) => [taught]);
		expect(await complaints(each, complaintsOf)).toEqual([]);
	}, 240_000);
});

/** What was not understood; lines of one block are run in their order, blocks side by side. */
async function complaints(
	blocks: readonly (readonly Taught[])[],
	of: (command: string) => RegExp,
): Promise<readonly string[]> {
	const queue = blocks.map((block) => block.filter(isHere));
	const wrong: string[] = [];
	const work = async () => {
		for (let block = queue.shift(); block; block = queue.shift())
			for (const { path, line, command } of block) {
				const said = await world.run(command);
				if (of(command).test(said))
					wrong.push(`${path}:${line}: ${command}\n${said}`);
			}
	};
	await Promise.all(Array.from({ length: 4 }, work));
	return wrong;
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
	expect([...kinds].sort()).toEqual(["", "json", "mermaid", "sh", "yaml"]);
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
