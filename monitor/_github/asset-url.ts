/** Where an uploaded file stands in the repository, and its address (contract 05 §11.1). Pure. */
import { basename } from "node:path";
import { excerpt } from "../_sys/excerpt.ts";

/** `pin`: shows these bytes for ever. `latest`: whatever stands there now. */
export type Shape = "pin" | "latest";

export const ASSET_BRANCH = "main";

export type AssetPath =
	| { readonly kind: "ok"; readonly path: string }
	| { readonly kind: "refused"; readonly message: string };

/** Always below `assets/`. `local`: the file as it was named. */
export function assetPath(
	local: string,
	issue: string | null,
	repoPath: string | null,
): AssetPath {
	if (issue !== null && !/^[1-9]\d{0,14}$/.test(issue))
		return refused(`--issue wants a positive number, got '${excerpt(issue)}'`);
	const path = chosenPath(local, issue, repoPath);
	const why = flaw(path);
	if (why !== null)
		return refused(`not a path for an asset: '${excerpt(path)}' (${why})`);
	return {
		kind: "ok",
		path: path.startsWith("assets/") ? path : `assets/${path}`,
	};
}

/** `sha`: the commit that holds it, for a pinned address. */
export function assetUrl(
	webOrigin: string,
	repo: string,
	path: string,
	shape: Shape,
	sha: string,
): string {
	const view = /\.(?:md|ipynb)$/.test(path) ? "blob" : "raw";
	const ref = shape === "pin" ? sha : ASSET_BRANCH;
	const segments = path.split("/").map(encodeSegment);
	return `${webOrigin}/${repo}/${view}/${ref}/${segments.join("/")}`;
}

/** Leaves only letters, digits and `._~-`: what stays bare in a comment must not end the link. */
export function encodeSegment(segment: string): string {
	return encodeURIComponent(segment).replace(
		/[!'()*]/g,
		(c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
	);
}

function chosenPath(
	local: string,
	issue: string | null,
	repoPath: string | null,
): string {
	if (repoPath !== null) return repoPath;
	const name = basename(local);
	if (issue !== null) return `assets/${issue}/${name}`;
	return /(?:^|\/)reports\//.test(local)
		? `assets/reports/${name}`
		: `assets/general/${name}`;
}

function flaw(path: string): string | null {
	if (path === "") return "empty";
	if (path.startsWith("/")) return "absolute";
	if (path.includes("\\")) return "a backslash";
	if (/[\0-\x1f\x7f-\x9f]/.test(path)) return "a control character";
	// A lone half of a pair has no percent encoding.
	if (!path.isWellFormed()) return "broken text";
	for (const segment of path.split("/")) {
		if (segment === "") return "an empty segment";
		if (segment === "." || segment === "..") return `the segment ${segment}`;
		if (segment.toLowerCase() === ".git") return "git refuses it";
	}
	return null;
}

function refused(message: string): AssetPath {
	return { kind: "refused", message };
}
