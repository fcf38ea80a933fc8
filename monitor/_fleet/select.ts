/** Which backend keeps this fleet (contract 09 §4). Pure. */
import type { BackendName } from "./fleet.ts";

export type ChosenBy = "option" | "config" | "record" | "probe";
export interface BackendChoice {
	readonly backend: BackendName;
	readonly by: ChosenBy;
	/** Of a probe that said no: the first condition that failed. */
	readonly note?: string;
}

/** What a probe of the program found; `no` carries the first condition that failed. */
export type Probe =
	| { readonly kind: "yes" }
	| { readonly kind: "no"; readonly why: string };

export interface BackendFacts {
	/** `--backend`. */
	readonly option: BackendName | "auto" | undefined;
	/** `monitor.fleet.backend`. */
	readonly configured: BackendName | "auto";
	/** The word in `T/fleet-backend`. */
	readonly recorded: BackendName | null;
}

/** First hit wins; null: nobody has said, and the program must be probed. A record is sticky. */
export function backendByWord(facts: BackendFacts): BackendChoice | null {
	const { option, configured, recorded } = facts;
	if (option !== undefined && option !== "auto")
		return { backend: option, by: "option" };
	if (configured !== "auto") return { backend: configured, by: "config" };
	return recorded === null ? null : { backend: recorded, by: "record" };
}

/** `local` also where nobody could tell; `note` says why. */
export function backendByProbe(probe: Probe): BackendChoice {
	return probe.kind === "yes"
		? { backend: "thrum", by: "probe" }
		: { backend: "local", by: "probe", note: probe.why };
}
