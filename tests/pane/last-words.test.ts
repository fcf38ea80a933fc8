/** The last words of a program that ended, whatever shell it was started from and whatever prompt that has. */
import { expect, test } from "bun:test";
import { lastWords } from "../../monitor/_pane/last-words.ts";
import { fakeDoors } from "../fakes/doors.ts";

const RUN = "'/tmp/launcher.1'";

async function wordsOn(
	rows: readonly string[],
	typed: { readonly command: string; readonly cursorY: number } | null,
): Promise<string | null> {
	const { tmux } = fakeDoors();
	const stdout = `${rows.join("\n")}\n`;
	const capture = async () => ({ kind: "ok", stdout }) as const;
	return lastWords({ tmux: { ...tmux, capture } }, "%1", typed);
}

test.each([
	["bash", ["op@host:~$ RUN", "no account", "op@host:~$ "], "no account"],
	[
		"fish, whose prompt tells the exit status",
		["op@host ~> RUN", "no account", "op@host ~ [1]> "],
		"no account",
	],
	[
		"a prompt of two rows",
		["~/work main", "❯ RUN", "no account", "~/work main", "❯ "],
		"no account",
	],
	[
		"a shell that is slow to ask again",
		["$ RUN", "no account", ""],
		"no account",
	],
	["words without an end of line", ["$ RUN", "no account$ "], "no account"],
	[
		"a line that was typed before the shell asked",
		["RUN", "# no account", "# "],
		"no account",
	],
	["a program that said nothing", ["~> RUN", "~ [1]> "], null],
	["a prompt of nothing", ["RUN", "no account", ""], "no account"],
])("%s", async (_what, rows, words) => {
	const shown = rows.map((row) => row.replace("RUN", RUN));
	const typed = { command: RUN, cursorY: rows.length - 1 };
	expect(await wordsOn(shown, typed)).toBe(words);
});

test("a dead pane's are above what tmux writes there", async () => {
	const rows = ["Error: no account", "", "Pane is dead (status 1, now)"];
	expect(await wordsOn(rows, null)).toBe("Error: no account");
});
