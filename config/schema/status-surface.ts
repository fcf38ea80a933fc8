/** The footer of an emit (contract 07 §11.3). The three are top level, not under `monitor`. */
import { str, unset } from "../leaves.ts";

const OWN_SECTION = "optional section; absent means overview-dashboard";

export const statusSurface = {
	// Lenient on purpose: an unknown kind loads, and the emit's footer announces it.
	"status_surface.kind": str("overview-dashboard", {
		emptyMeansDefault: true,
		doc: "overview-dashboard, or external for a page of your own.",
		notInTemplate: OWN_SECTION,
	}),
	"status_surface.url_file": unset("path", {
		doc: "File whose first line is the URL of that page.",
		notInTemplate: OWN_SECTION,
	}),
	"status_surface.feed": unset("path", {
		doc: "When set, the footer adds `landings feed: <path>`.",
		notInTemplate: OWN_SECTION,
	}),
};
