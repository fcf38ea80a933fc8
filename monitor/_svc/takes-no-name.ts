/** A verb that is for everything, asked with a name: who wanted one service must not get them all. */
import type { Doors } from "../_sys/doors.ts";
import { programName } from "../_sys/names.ts";

/** 1, having said which verb does it for one; null without a name. */
export function takesNoName(
	verb: "up" | "down" | "list",
	name: string | undefined,
	{ log }: Pick<Doors, "log">,
): 1 | null {
	if (name === undefined) return null;
	const forOne = { up: "start", down: "stop", list: "status" }[verb];
	log.warn(
		`${verb} takes no name; one service: ${programName("svc")} ${forOne} ${name}`,
	);
	return 1;
}
