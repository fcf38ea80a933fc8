/** The command line of `cc-auto-update-apply` (contract 06 §13.3). Pure. */
import { isCcVersion } from "../_state/cc-version-local.ts";
import { parseCli } from "../_sys/cli.ts";

export const USAGE = `usage: cc-auto-update-apply.ts safe --candidate V [--evidence F]
       cc-auto-update-apply.ts block --candidate V --reason R
       cc-auto-update-apply.ts record-outcome --candidate V --decision D [--detail T]
       cc-auto-update-apply.ts hold --reason R [--hours N] [--until-version V]
       cc-auto-update-apply.ts unhold | hold-status
  safe installs the candidate beside the one that runs, proves it with the real program against a loopback model
  (idle, busy and a question read right from the screen; a report delivered whole, once), writes what it saw, and only
  then moves the pin and installs it; else everything is as before. With --evidence the proof was made elsewhere: the
  file must be younger than a day and hold GATE GREEN and the candidate.
  It restarts nothing: sessions that run stay on their binary. Opening compatibility pull requests is not built.
  exit: 0 done, 2 usage, 3 refused or the gate is red, 4 install failed, 5 the installed program is not the candidate
        (both rolled back), 7 another apply runs, 24 already on the candidate, 25 a hold stands,
        30 deferred: more agents run than monitor.cc_auto_update.max_live_windows`;

export type ApplyRequest =
	| {
			readonly kind: "safe";
			readonly candidate: string;
			readonly evidence: string | null;
	  }
	| {
			/** `block` is the outcome of that name. */
			readonly kind: "outcome";
			readonly candidate: string;
			readonly decision: string;
			readonly detail: string;
	  }
	| {
			readonly kind: "hold";
			readonly reason: string;
			readonly hours: number | null;
			readonly untilVersion: string | null;
	  }
	| { readonly kind: "unhold" | "hold-status" | "help" }
	| { readonly kind: "refused"; readonly message: string };

/** The first word is the verb; what it needs is asked for here, with the sentence to print. */
export function parseApplyArgs(argv: readonly string[]): ApplyRequest {
	const flags = [
		...["--candidate", "--evidence", "--reason", "--decision", "--detail"],
		...["--hours", "--until-version"],
	];
	const cli = parseCli(argv, {
		flags: Object.fromEntries(flags.map((flag) => [flag, "value"])),
		maxPositionals: 1,
	});
	if (cli.kind !== "ok") return cli;
	const [verb = ""] = cli.positionals;
	const candidate = cli.value("--candidate") ?? "";
	const needsCandidate = ["safe", "block", "record-outcome"].includes(verb);
	if (needsCandidate && !isCcVersion(candidate))
		return refused("--candidate: expected a version like 2.1.332");
	const reason = cli.value("--reason");
	switch (verb) {
		case "safe": {
			const evidence = cli.value("--evidence") ?? null;
			return { kind: "safe", candidate, evidence };
		}
		case "block":
			return reason === undefined
				? refused("--reason is needed")
				: { kind: "outcome", candidate, decision: "block", detail: reason };
		case "record-outcome": {
			const decision = cli.value("--decision") ?? "";
			const detail = cli.value("--detail") ?? "";
			return /^[a-z][a-z-]*$/.test(decision)
				? { kind: "outcome", candidate, decision, detail }
				: refused("--decision: expected lower-case words joined by -");
		}
		case "hold":
			return holdOf(
				reason,
				cli.value("--hours") ?? null,
				cli.value("--until-version") ?? null,
			);
		case "unhold":
		case "hold-status":
			return { kind: verb };
		case "compat-pr":
			return refused("compat-pr is not built; open it by hand");
		default:
			return refused(`unknown verb: ${verb || "(none)"}`);
	}
}

function holdOf(
	reason: string | undefined,
	hours: string | null,
	untilVersion: string | null,
): ApplyRequest {
	if (reason === undefined) return refused("--reason is needed");
	if (hours !== null && !/^[1-9]\d{0,3}$/.test(hours))
		return refused("--hours: expected a number from 1 to 9999");
	if (untilVersion !== null && !isCcVersion(untilVersion))
		return refused("--until-version: expected a version");
	return {
		kind: "hold",
		reason,
		untilVersion,
		hours: hours === null ? null : Number(hours),
	};
}

function refused(message: string): ApplyRequest {
	return { kind: "refused", message };
}
