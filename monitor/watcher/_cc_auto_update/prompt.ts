/** The evaluator's prompt: the template with its `{{KEY}}` filled in (contract 06 §13.1). Pure. */

/** A key that nobody gave stays as it stands, so that the gap is seen. */
export function fillTemplate(
	template: string,
	values: Readonly<Record<string, string>>,
): string {
	return template.replace(/\{\{([A-Z_]+)\}\}/g, (whole, key: string) =>
		Object.hasOwn(values, key) ? (values[key] ?? whole) : whole,
	);
}
