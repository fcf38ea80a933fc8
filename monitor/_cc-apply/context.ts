/** What the verbs of `cc-auto-update-apply` are given. Types only. */
import type { Settings } from "../_state/settings.ts";
import type { Doors } from "../_sys/doors.ts";
import type { Beside } from "./beside.ts";
import type { Check } from "./evidence.ts";

export interface ApplyContext {
	readonly doors: Doors;
	readonly settings: Settings;
	readonly out: (line: string) => void;
	readonly err: (line: string) => void;
	readonly hands: ApplyHands;
}

/** The slow parts, which tests stand in for. */
export interface ApplyHands {
	beside(candidate: string): Promise<Beside>;
	prove(binary: string): Promise<readonly Check[]>;
	/** Installs what the pin says into this checkout; a failure has put the old one back. */
	install(): Promise<
		| { readonly kind: "already" | "installed" }
		| {
				readonly kind: "failed";
				readonly stage: "npm" | "verify";
				readonly why: string;
		  }
	>;
}
