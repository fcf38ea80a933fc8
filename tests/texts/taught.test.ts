/** Every command, flag, path and section that a text teaches is real: agents do what they read (contract 08 §11). */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import {
	existsSync,
	mkdtempSync,
	readdirSync,
	readlinkSync,
	rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SECTIONS } from "../../monitor/_emit/sections.ts";
import { VERBS } from "../../monitor/_nexus/verbs.ts";
import { CODE_ROOT, TEXTS } from "../../monitor/_sys/names.ts";
import { NG_VERBS } from "../../monitor/ng-verbs.ts";
import { SVC_VERBS } from "../../monitor/svc-verbs.ts";
import { COMMANDS } from "../../resources/_thrum-shim/commands.ts";
import { BUN_DIR } from "../support/bun-dir.ts";
import { readText, snippets, taughtCommands } from "./commands.ts";

// Each help is a process, and a machine under load starts few of them in a second.
setDefaultTimeout(60_000);

const SKILLS = readdirSync(join(CODE_ROOT, "skills"), { withFileTypes: true })
	.filter((entry) => entry.isDirectory())
	.map((entry) => entry.name);
const texts = [
	...SKILLS.flatMap((name) =>
		readdirSync(join(CODE_ROOT, "skills", name))
			.filter((file) => file.endsWith(".md"))
			.map((file) => `skills/${name}/${file}`),
	),
	...[TEXTS.agentPrompt, TEXTS.workspaceContract],
];
const documents = [
	"README.md",
	...readdirSync(join(CODE_ROOT, "docs"))
		.filter((file) => file.endsWith(".md"))
		.map((file) => `docs/${file}`),
];

/** What a program says of itself; asked once, in an empty world. */
const helps = new Map<string, string>();
function helpOf(...call: readonly string[]): string {
	const key = call.join(" ");
	const known = helps.get(key);
	if (known !== undefined) return known;
	const root = mkdtempSync(join(tmpdir(), "nexus-taught-"));
	const [program = "", ...words] = call;
	const ran = Bun.spawnSync([join(CODE_ROOT, program), ...words, "--help"], {
		cwd: root,
		stdin: "ignore",
		env: {
			PATH: `${BUN_DIR}:/usr/bin:/bin`,
			HOME: root,
			NEXUS_ROOT: root,
			NEXUS_STATE_DIR: join(root, "state"),
		},
	});
	expect(existsSync(join(root, "state")), `${key} --help has an effect`).toBe(
		false,
	);
	rmSync(root, { recursive: true });
	const said = ran.stdout.toString() + ran.stderr.toString();
	helps.set(key, said);
	return said;
}

/** Usage of the call, or why there is no such call. */
function usageOf(words: readonly string[]): { usage: string } | { no: string } {
	const [program = "", first = "", second = ""] = words;
	if (!existsSync(join(CODE_ROOT, program))) return { no: "no such program" };
	// Named, not called.
	if (words.length === 1) return { usage: "" };
	if (program === "monitor/ng") {
		// Any of its verbs is meant.
		if (first === "help" || first.startsWith("<")) return { usage: "--help" };
		const row =
			NG_VERBS.find((verb) => verb.name === `${first} ${second}`) ??
			NG_VERBS.find((verb) => verb.name === first);
		if (row === undefined) return { no: `ng has no verb ${first}` };
		if (row.group && second !== "" && !/^[<\d]/.test(second))
			return { no: `ng ${first} has no verb ${second}` };
		if (!row.facade) return { usage: `${row.args} --help` };
		const help = helpOf(program, first);
		if (!/^usage: ng \w+ <verb>/.test(help)) return { usage: help };
		const line = help
			.split("\n")
			.find((one) => RegExp(`^ {2}(?:.*\\| )?${second}(?: |$)`).test(one));
		return line === undefined
			? { no: `ng ${first} has no verb ${second}` }
			: { usage: line };
	}
	if (program === "monitor/svc.ts") {
		const isVerb = SVC_VERBS.some((verb) => verb.name === first);
		return first === "" || isVerb
			? { usage: helpOf(program) }
			: { no: `svc has no verb ${first}` };
	}
	if (program === "nexus") {
		const verb = VERBS.find((row) => row.name === first);
		if (verb !== undefined) return { usage: verb.args };
		return first === "" || first.startsWith("-")
			? { usage: helpOf("monitor/watcher/entry.ts") }
			: { no: `nexus has no verb ${first}` };
	}
	if (program === "resources/thrum-shim.ts" && !first.startsWith("-")) {
		const command = COMMANDS.find(
			(row) => row.words === first || row.words === `${first} ${second}`,
		);
		return command === undefined
			? { no: `thrum has no verb ${first} ${second}` }
			: { usage: helpOf(program, ...command.words.split(" ")) };
	}
	return { usage: helpOf(program) };
}

function unknownFlags(words: readonly string[], usage: string) {
	const end = words.indexOf("--");
	return (end < 0 ? words : words.slice(0, end))
		.filter((word) => /^--?[a-z]/.test(word))
		.map((word) => word.replace(/=.*/, ""))
		.filter((flag) => !RegExp(`${flag}(?![\\w-])`).test(usage));
}

describe.each([...texts, ...documents])("%s", (path) => {
	test("teaches only commands that are there, with flags that they take", () => {
		const wrong = taughtCommands(readText(path)).flatMap((taught) => {
			const found = usageOf(taught.words);
			const why =
				"no" in found
					? [found.no]
					: unknownFlags(taught.words.slice(1), found.usage).map(
							(flag) => `no flag ${flag}`,
						);
			return why.map((no) => `${path}:${taught.line}: ${taught.text}: ${no}`);
		});
		expect(wrong).toEqual([]);
	});
});

describe.each(texts)("%s", (path) => {
	test("names only files and skills that are there", () => {
		const wrong = snippets(readText(path)).flatMap(({ text, line }) =>
			[...text.matchAll(PATHS)]
				.map(([name]) => name.replace(/[.,]$/, ""))
				.filter((name) => !MADE_LATER.test(name))
				.filter((name) => !existsSync(join(CODE_ROOT, name)))
				.map((name) => `${path}:${line}: ${name}`),
		);
		const skills = [...readText(path).matchAll(/`(nexus\.[a-z-]+)`/g)]
			.map(([, name = ""]) => name)
			.filter((name) => name !== "nexus.yml" && !CONFIG.test(name))
			.filter((name) => !SKILLS.includes(name));
		expect([...wrong, ...skills]).toEqual([]);
	});
});

const PATHS =
	/(?<![\w./<>-])(?:monitor|skills|docs|config|tests|bench|resources)\/[\w./-]*[\w]/g;
/** Written by people, or by nexus at work. */
const MADE_LATER =
	/^monitor\/(?:\.state|locals-env\.sh|infra-resolved\.md)|^config\/nexus\.(?:yml|env)/;
const CONFIG = /^nexus\.(?:root|node_module)/;

describe("skills", () => {
	test("each is in the catalogue of CLAUDE.md, and the catalogue names no other", () => {
		const rows = readText(TEXTS.workspaceContract).matchAll(
			/^\| `([a-z.-]+)` \|/gm,
		);
		expect([...rows].map(([, name]) => name).sort()).toEqual(
			[...SKILLS].sort(),
		);
	});

	/** Read by its path, at the one occasion that names it: no agent need know of it before. */
	const GUIDES = ["nexus.cc-update"];
	test.each(SKILLS.filter((name) => !GUIDES.includes(name)))(
		"%s has a name, a quoted description, a heading and a trigger",
		(name) => {
			const file = `skills/${name}/SKILL.md`;
			expect(readText(file)).toMatch(
				RegExp(
					`^---\nname: ${name.replace(".", "\\.")}\ndescription: "[^"\n]+"\n---\n\n# .+\n\nTRIGGER: `,
				),
			);
		},
	);

	test("Claude Code that is started here finds them", () =>
		expect(readlinkSync(join(CODE_ROOT, ".claude/skills"))).toBe("../skills"));
});

test("the orchestrator's prompt goes through a report's sections in the report's own order, and leaves none out", () => {
	const table = readText(TEXTS.agentPrompt).matchAll(/^\| `([^`]+)` \|/gm);
	expect([...table].map(([, title]) => title)).toEqual([
		...SECTIONS.map((section) => section.title),
		"dashboard",
	]);
});
