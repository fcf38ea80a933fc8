/** Strict reading of a verb's arguments; what is wrong with them is said here. */
import { type Cli, type CliSpec, parseCli } from "../_sys/cli.ts";
import { REFUSED, type SkepticContext } from "./verb.ts";

export type Arguments =
	| Extract<Cli, { kind: "ok" }>
	| { readonly kind: "ended"; readonly rc: number };

/** `ended` carries the exit code that the verb returns as it is. */
export function readArguments(
	verb: string,
	args: readonly string[],
	spec: CliSpec,
	{ err }: Pick<SkepticContext, "err">,
): Arguments {
	const cli = parseCli(args, spec);
	if (cli.kind === "ok") return cli;
	if (cli.kind === "help") return { kind: "ended", rc: 0 };
	err(`${verb}: ${cli.message}`);
	return { kind: "ended", rc: REFUSED };
}

export const TEXT_FLAGS = { "--message": "text", "--file": "value" } as const;

/** A question's or an answer's text: `--message`, `--file`, or `-` for standard input. Null: there is none, and why has been said. */
export async function textOf(
	verb: string,
	cli: Extract<Cli, { kind: "ok" }>,
	dash: string | undefined,
	{ doors, stdin, err }: Pick<SkepticContext, "doors" | "stdin" | "err">,
): Promise<string | null> {
	const message = cli.value("--message");
	const file = cli.value("--file");
	const ways = [message !== undefined, file !== undefined, dash === "-"];
	const refuse = (why: string) => {
		err(`${verb}: ${why}`);
		return null;
	};
	if (ways.filter(Boolean).length !== 1)
		return refuse("one of --message, --file and - is needed");
	const read = file === undefined ? null : doors.files.read(file);
	if (read !== null && read.kind !== "ok")
		return refuse(
			`${file}: ${read.kind === "absent" ? "no such file" : read.reason}`,
		);
	const text = message ?? (read === null ? await stdin() : read.text);
	return text.trim() === "" ? refuse("the text is blank") : text;
}
