/** What the two duties that send reports need from outside: who pastes, who judges failures, and what reports are made of. */
import type { PasteEmit } from "./ladder.ts";
import type { FindArrival } from "./past-delivery.ts";
import type { EmitPlace } from "./place.ts";
import type { EmitProviders, ProviderRun } from "./providers.ts";
import type { NextDeliveryState } from "./send-report.ts";

export interface EmitDeps {
	/** Pastes into the target with retry; `run` carries the doors and the signal of this run. */
	readonly paste: (place: EmitPlace, run: ProviderRun) => PasteEmit;
	/** Did a report of an earlier try arrive all the same? */
	readonly arrival: (place: EmitPlace, run: ProviderRun) => FindArrival;
	readonly nextDeliveryState: NextDeliveryState;
	/** Body of the arm section, empty while the supervisor is armed (contract 01 §16.1). */
	readonly armSection: (place: EmitPlace, run: ProviderRun) => string;
	/** False in a single pass: it must not leave a watcher behind. */
	readonly mayRestart: boolean;
	/** Asks GitHub, before a watcher's first report is composed. */
	readonly pollSources?: (place: EmitPlace, run: ProviderRun) => Promise<void>;
	/** What a report is made of besides decisions, requests and the notice of archived reports. */
	readonly sources?: (place: EmitPlace) => Partial<EmitProviders>;
}
