/** Payloads without what is only of the machine and the moment that they were recorded on. */

type Json = Readonly<Record<string, unknown>>;

/** Session, prompt and subagent ids become stable ones in order of appearance; folders become `/home/agent/…`. */
export function makeSanitizer(
	dirs: readonly string[],
): (payload: Json) => Json {
	const ids = new Map<string, string>();
	const stable = (id: string) => {
		const known = ids.get(id);
		if (known !== undefined) return known;
		const made = `00000000-0000-4000-8000-${String(ids.size + 1).padStart(12, "0")}`;
		ids.set(id, made);
		return made;
	};
	const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
	const text = (value: string) => {
		let plain = value
			.replace(UUID, stable)
			.replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:9");
		for (const dir of dirs) plain = plain.replaceAll(dir, "/home/agent");
		for (const dir of dirs)
			plain = plain.replaceAll(
				dir.replace(/[^A-Za-z0-9]/g, "-"),
				"-home-agent",
			);
		return plain;
	};
	const walk = (value: unknown): unknown => {
		if (typeof value === "string") return text(value);
		if (Array.isArray(value)) return value.map(walk);
		if (typeof value !== "object" || value === null) return value;
		return Object.fromEntries(
			Object.entries(value).map(([key, inner]) => [
				key,
				key === "duration_ms" ? 1 : walk(inner),
			]),
		);
	};
	return (payload) => ({ ...payload, ...Object(walk(payload)) });
}
