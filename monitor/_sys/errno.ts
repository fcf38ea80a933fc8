/** The errno name of a thrown system error (`ENOENT`), else its text. */
export function errnoOf(e: unknown): string {
	if (e instanceof Error)
		return "code" in e && typeof e.code === "string" ? e.code : e.message;
	return String(e);
}
