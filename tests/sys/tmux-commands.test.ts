import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { TmuxCommand } from "../../monitor/_sys/doors.ts";
import {
	buildCommand,
	guardSemicolon,
} from "../../monitor/_sys/tmux-commands.ts";

function words(cmd: TmuxCommand): readonly string[] | string {
	const built = buildCommand(cmd);
	return built.kind === "ok" ? built.argv : built.why;
}

describe("words for tmux", () => {
	test.each([
		["a;", "a\\;"],
		[";", "\\;"],
		["a\\;", "a\\\\;"],
		["a;b", "a;b"],
		["", ""],
	])("%p is guarded as %p", (word, guarded) => {
		expect(guardSemicolon(word)).toBe(guarded);
	});

	test.each<readonly [TmuxCommand, readonly string[]]>([
		[
			{ kind: "send-keys", target: "%1", keys: ["i", "BSpace"] },
			[
				...["copy-mode", "-q", "-t", "%1", ";"],
				...["send-keys", "-t", "%1", "--", "i", "BSpace"],
			],
		],
		[
			{
				kind: "split-pane",
				target: "%1",
				percent: 40,
				command: ["tail", "x;"],
			},
			[
				...["split-window", "-d", "-v", "-P", "-F"],
				"#{session_id}|#{window_id}|#{pane_id}",
				...["-l", "40%", "-t", "%1", "--", "tail", "x\\;"],
			],
		],
		[
			{ kind: "title-pane", target: "%1", title: "log:a#b;" },
			["select-pane", "-t", "%1", "-T", "log:a##b\\;"],
		],
		[{ kind: "kill-pane", target: "%1" }, ["kill-pane", "-t", "%1"]],
		[
			{ kind: "paste-buffer", buffer: "b", target: "@1" },
			[
				...["if-shell", "-F", "-t", "@1", "#{pane_dead}"],
				"show-buffer -b the-pane-is-dead",
				"copy-mode -q -t @1 ; paste-buffer -p -d -b b -t @1",
			],
		],
		[
			{ kind: "rename-window", target: "@1", name: "#{pid};" },
			["rename-window", "-t", "@1", "--", "##{pid}\\;"],
		],
		[
			{ kind: "select-window", target: "@2", session: "$3" },
			["select-window", "-t", "$3:@2"],
		],
		[
			{
				kind: "set-option",
				scope: "window",
				target: "@1",
				name: "n",
				value: ";",
			},
			["set-option", "-w", "-t", "@1", "--", "n", "\\;"],
		],
		[
			{
				kind: "new-window",
				session: "$0",
				name: "w",
				cwd: "/a#b;",
				command: ["sh", "-c", "x;"],
				env: { A: "1;" },
			},
			[
				...["new-window", "-d", "-P", "-F"],
				"#{session_id}|#{window_id}|#{pane_id}",
				...["-t", "$0:", "-n", "w", "-c", "/a##b\\;", "-e", "A=1\\;"],
				...["--", "sh", "-c", "x\\;"],
			],
		],
	])("%j", (cmd, argv) => {
		expect(words(cmd)).toEqual(argv);
	});

	test("a window without a command gets no word for one", () => {
		const argv = words({ kind: "new-window", session: "$0", name: "w" });
		expect(argv.slice(-2)).toEqual(["-n", "w"]);
	});

	test("a command of one word does not go through a shell", () => {
		const argv = words({
			kind: "new-window",
			session: "$0",
			name: "w",
			command: ["a b"],
		});
		expect(argv.slice(-3)).toEqual(["--", "env", "a b"]);
	});

	test.each<TmuxCommand>([
		{ kind: "send-keys", target: "w1", keys: ["x"] },
		{ kind: "send-keys", target: "%1", keys: [] },
		{ kind: "send-keys", target: "%1", keys: [""] },
		{ kind: "send-keys", target: "%1", keys: ["a\r"] },
		{ kind: "paste-buffer", buffer: "b; kill-server", target: "@1" },
		{ kind: "kill-window", target: "orchestrator" },
		{ kind: "kill-session", target: "nexus" },
		{ kind: "select-window", target: "@1", session: "main" },
		{ kind: "rename-window", target: "@1", name: "" },
		{ kind: "rename-window", target: "@1", name: "a\nb" },
		{ kind: "new-window", session: "main", name: "w", command: ["x"] },
		{ kind: "new-window", session: "$0", name: "w", command: [] },
		{ kind: "new-window", session: "$0", name: "", command: ["x"] },
		{
			kind: "new-window",
			session: "$0",
			name: "w",
			command: ["x"],
			env: { "A B": "" },
		},
		{ kind: "new-session", name: "a.b" },
		{ kind: "new-session", name: "a:b" },
		{ kind: "new-session", name: "" },
		{ kind: "new-session", name: "x", groupWith: "main" },
		{ kind: "new-session", name: "x", groupWith: "$0", windowName: "w" },
		{ kind: "has-session", name: "a:0" },
	])("refused: %j", (cmd) => {
		expect(buildCommand(cmd).kind).toBe("refused");
	});

	test("no word of any command ends in a bare semicolon but the one that is meant", () => {
		const text = fc.string({ maxLength: 8 }).map((s) => `${s};`);
		fc.assert(
			fc.property(text, text, (a, b) => {
				const made: TmuxCommand[] = [
					{ kind: "send-keys", target: "%1", keys: [a, b] },
					{ kind: "rename-window", target: "@1", name: a },
					{ kind: "load-buffer", buffer: a, path: b },
					{ kind: "new-window", session: "$0", name: a, command: [a, b] },
					{ kind: "set-option", scope: "server", name: a, value: b },
				];
				for (const cmd of made) {
					const built = buildCommand(cmd);
					if (built.kind !== "ok") continue;
					const ends = built.argv.filter((word) => /(^|[^\\]);$/.test(word));
					expect(ends).toEqual(cmd.kind === "send-keys" ? [";"] : []);
				}
			}),
		);
	});
});
