import { expect, test } from "bun:test";
import { runNexus, VERBS } from "../../monitor/_nexus/verbs.ts";
import { BUN_FLAGS } from "../../monitor/_sys/names.ts";
import { fakeDoors } from "../fakes/doors.ts";

/** Calls `./nexus` with these words; every program it starts ends with `rc`. */
async function call(argv: readonly string[], rc = 0) {
	const doors = fakeDoors();
	doors.proc.answer("bun", rc);
	const lines: string[] = [];
	const code = await runNexus(argv, {
		doors,
		codeRoot: "/code",
		tmuxIn: () => doors.tmux,
		interrupted: new AbortController().signal,
		print: (line) => lines.push(line),
	});
	const started = doors.proc.execs.map(({ argv }) => argv.join(" "));
	return { code, text: lines.join("\n"), started };
}

const program = (words: string) =>
	`/opt/bun/bin/bun ${BUN_FLAGS.join(" ")} /code/${words}`;

test.each([
	[["up"], "monitor/svc.ts up"],
	[["status"], "monitor/svc.ts status"],
	[["status", "--json"], "monitor/svc.ts status --json"],
	[["stop"], "monitor/svc.ts down"],
	[[], "monitor/watcher/entry.ts"],
	[["--continue"], "monitor/watcher/entry.ts --continue"],
	[
		["--i-accept-no-sandbox", "--continue"],
		"monitor/watcher/entry.ts --i-accept-no-sandbox --continue",
	],
])("./nexus %p hands over to %s, exit code and all", async (argv, words) => {
	expect(await call(argv, 4)).toEqual({
		code: 4,
		text: "",
		started: [program(words)],
	});
});

test.each([["help"], ["-h"], ["--help"]])(
	"./nexus %s names every verb",
	async (word) => {
		const { code, text, started } = await call([word]);
		expect({ code, started }).toEqual({ code: 0, started: [] });
		for (const { name } of VERBS) expect(text).toContain(`./nexus ${name}`);
	},
);

test.each([["doctor"], ["demo"], ["test"], ["help"]])(
	"./nexus %s --help says what it does and does nothing",
	async (verb) => {
		const { code, text, started } = await call([verb, "--help"]);
		expect({ code, started }).toEqual({ code: 0, started: [] });
		expect(text).toStartWith(`./nexus ${verb} `);
		expect(text).not.toContain("\n");
	},
);

test("./nexus stop --help says what it is here, then what svc says", async () => {
	const { text, started } = await call(["stop", "--help"]);
	expect(text).toStartWith("./nexus stop ");
	expect(started).toEqual([program("monitor/svc.ts down --help")]);
});

test("an unknown verb is said, shown the others, and fails", async () => {
	const { code, text, started } = await call(["strat"]);
	expect({ code, started }).toEqual({ code: 1, started: [] });
	expect(text).toStartWith("nexus: no verb 'strat'\n");
	expect(text).toContain("./nexus status");
});

test("the demo refuses what it does not know", async () => {
	const { code, text } = await call(["demo", "--twice"]);
	expect({ code, text }).toEqual({
		code: 1,
		text: "usage: ./nexus demo [--once | --stop]",
	});
});

test("--stop without a demo says so", async () =>
	expect(await call(["demo", "--stop"])).toMatchObject({
		code: 0,
		text: "no demo runs",
	}));
