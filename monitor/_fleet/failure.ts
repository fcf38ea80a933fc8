/** Making the values that fleet calls end in. */
import type { Done, FleetFailure } from "./fleet.ts";

/** The other end is `fail`, beside it. */
export function ok<T>(value: T): Done<T> {
	return { kind: "ok", value };
}

/** `exitCode` is what a program would end with; default 1. */
export function fail(
	kind: FleetFailure["kind"],
	stderr: string,
	exitCode = 1,
): FleetFailure {
	return { kind, exitCode, stderr };
}

/** One line for people: thrum's own words behind the kind. */
export function failureText(failure: FleetFailure): string {
	const words = failure.stderr.trim();
	return words === "" ? failure.kind : words;
}
