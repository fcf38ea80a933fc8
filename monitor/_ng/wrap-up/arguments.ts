/** What a call of `wrap-up` asks for (contract 05 §8.1). */
import type { Shape } from "../../_github/asset-url.ts";
import { excerpt } from "../../_sys/excerpt.ts";
import { isNumber, readArguments } from "../arguments.ts";
import type { NgContext } from "../verb.ts";
import {
	REVIEW_FLAGS,
	type ReviewArguments,
	reviewArguments,
} from "./review-arguments.ts";

export interface WrapUpArguments {
	readonly kind: "ok";
	readonly issue: string;
	readonly report: string;
	/** Null: there is none. */
	readonly trigger: string | null;
	readonly repo: string | undefined;
	readonly triggerRepo: string | undefined;
	readonly bodyFile: string | null;
	readonly comments: boolean;
	readonly allowStub: boolean;
	/** `default`: for the day; null: not at all. */
	readonly retain: { readonly reason: string } | "default" | null;
	readonly shape: Shape;
	readonly dryRun: boolean;
	readonly review: ReviewArguments;
}

/** A refusal has been said on stderr, with exit code 1. */
export function wrapUpArguments(
	args: readonly string[],
	ctx: Pick<NgContext, "err">,
): WrapUpArguments | { readonly kind: "ended"; readonly rc: number } {
	const cli = readArguments(
		args,
		{
			flags: {
				"--trigger-comment": "value",
				"--repo": "value",
				"--trigger-repo": "value",
				"--comment-body-file": "value",
				"--no-comment": "switch",
				"--allow-stub": "switch",
				"--retain": "value",
				"--no-retain": "switch",
				"--shape": "value",
				"--dry-run": "switch",
				...REVIEW_FLAGS,
			},
			maxPositionals: 2,
		},
		ctx,
	);
	if (cli.kind === "ended") return cli;
	const refuse = (message: string) => {
		ctx.err(message);
		return { kind: "ended", rc: 1 } as const;
	};
	for (const [a, b] of PAIRS)
		if (cli.on(a) && cli.on(b))
			return refuse(`wrap-up: ${a} and ${b} are mutually exclusive`);
	const [issue, report] = cli.positionals;
	if (!isNumber(issue) || !report)
		return refuse(
			isNumber(issue)
				? "wrap-up needs the path of a report"
				: `wrap-up needs an issue number first, got '${excerpt(issue ?? "")}'`,
		);
	const trigger = cli.value("--trigger-comment") ?? "0";
	if (trigger !== "0" && !isNumber(trigger))
		return refuse(
			`wrap-up: --trigger-comment wants the id of a comment, got '${excerpt(trigger)}'`,
		);
	const shape = cli.value("--shape") ?? "latest";
	if (shape !== "pin" && shape !== "latest")
		return refuse("wrap-up: --shape is pin or latest");
	const review = reviewArguments(cli);
	if ("kind" in review) return refuse(`wrap-up: ${review.why}`);
	const reason = cli.value("--retain");
	return {
		kind: "ok",
		issue,
		report,
		shape,
		review,
		trigger: trigger === "0" ? null : trigger,
		repo: cli.value("--repo"),
		triggerRepo: cli.value("--trigger-repo"),
		bodyFile: cli.value("--comment-body-file") ?? null,
		comments: !cli.on("--no-comment"),
		allowStub: cli.on("--allow-stub"),
		retain: cli.on("--no-retain")
			? null
			: reason === undefined
				? "default"
				: { reason },
		dryRun: cli.on("--dry-run"),
	};
}

const PAIRS = [
	["--comment-body-file", "--no-comment"],
	["--retain", "--no-retain"],
] as const;
