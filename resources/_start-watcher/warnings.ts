/** What is said of a start that stops nothing (contract 09 §10.1). Pure. */
import { COORDINATOR_ROLES, isUser } from "../../monitor/_state/fleet/names.ts";
import type { Args } from "./args.ts";
import { names, type Probe } from "./preflight.ts";

/** A scheduler that has not ticked for so long does not run. */
export const SCHEDULER_SECONDS = 120;

/** Lines for people that stop nothing. */
export function warnings(args: Args, probe: Probe): readonly string[] {
	const coordinators = names(probe).filter((name) => {
		const look = probe.members?.get(name);
		return look?.kind === "found" && COORDINATOR_ROLES.includes(look.role);
	});
	const age = probe.schedulerAge;
	return [
		...(coordinators.length > 0 && !isUser(args.parent)
			? [
					`${coordinators.join(", ")} coordinates, and cannot read what its own block makes you tell @${args.parent}: parent should be the human`,
				]
			: []),
		...(age === null || (age !== "not ours" && age > SCHEDULER_SECONDS)
			? ["no scheduler is running: ticks will not fire"]
			: []),
		...(asksBeforeEach(args, probe) ? [ASKS_BEFORE_EACH] : []),
	];
}

const ASKS_BEFORE_EACH =
	"claude will ask before each command of its own, and until a person says yes it watches nobody: let monitor.fleet.runtimes.<rt>.command say what it may do (docs/persistent-watchers.md, Permissions)";

/** The command says nothing of permissions; what the operator's own settings allow is not known here. */
function asksBeforeEach({ runtime }: Args, { command }: Probe): boolean {
	return (
		runtime === "claude" &&
		command !== null &&
		!/\s--(?:permission-mode|dangerously-skip-permissions|settings|allowed-?tools)\b/i.test(
			command,
		)
	);
}
