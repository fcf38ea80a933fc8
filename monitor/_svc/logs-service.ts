/** `svc logs <service>`: follows its log (contract 06 §6). */
import type { ServiceVerb } from "./verb.ts";

/** tail's exit code; 1 when there is nothing to follow. */
export const run: ServiceVerb = async ({ logfile }, { doors, settings }) => {
	for (const line of settings.problems) doors.log.warn(line);
	if (doors.files.stat(logfile).kind !== "ok") {
		doors.log.warn(`logfile not found: ${logfile}`);
		return 1;
	}
	const argv = ["tail", "-n", "200", "-F", logfile];
	return (await doors.proc.foreground(argv)) ?? 1;
};
