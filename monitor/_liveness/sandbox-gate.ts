/** Nexus runs agents without permission prompts; outside a sandbox only when the operator says so (contract 01 §17). Pure. */

type Env = Readonly<Record<string, string | undefined>>;

export type SandboxVerdict =
	| { readonly kind: "in-sandbox" }
	/** Proceed, with a warning every time. */
	| { readonly kind: "accepted"; readonly by: "flag" | "env" | "marker" }
	| { readonly kind: "refused" };

/** `marker`: does `no-sandbox-accepted` stand in the state dir? `flag`: was `--i-accept-no-sandbox` given? */
export function sandboxGate(
	env: Env,
	marker: boolean,
	flag: boolean,
): SandboxVerdict {
	if (env.SANDBOX_ACTIVE === "1" && env.SANDBOX_PROJECT_DIR)
		return { kind: "in-sandbox" };
	if (flag) return { kind: "accepted", by: "flag" };
	if (env.NEXUS_I_ACCEPT_NO_SANDBOX === "1")
		return { kind: "accepted", by: "env" };
	if (marker) return { kind: "accepted", by: "marker" };
	return { kind: "refused" };
}

/** What to print on stderr; null when there is nothing to say. */
export function sandboxText(
	verdict: SandboxVerdict,
	markerPath: string,
): string | null {
	switch (verdict.kind) {
		case "in-sandbox":
			return null;
		case "accepted":
			return `WARNING: not in a sandbox (accepted by ${source(verdict.by, markerPath)}): agents act with your account's full rights`;
		case "refused":
			return [
				"not in a sandbox: agents would act with your account's full rights.",
				"  Start inside the sandbox (SANDBOX_ACTIVE=1 and SANDBOX_PROJECT_DIR set), or accept the risk:",
				"  --i-accept-no-sandbox (remembered for restarts), or NEXUS_I_ACCEPT_NO_SANDBOX=1.",
			].join("\n");
	}
}

function source(by: "flag" | "env" | "marker", markerPath: string): string {
	if (by === "flag")
		return `--i-accept-no-sandbox; remembered in ${markerPath}`;
	return by === "env" ? "NEXUS_I_ACCEPT_NO_SANDBOX=1" : markerPath;
}
