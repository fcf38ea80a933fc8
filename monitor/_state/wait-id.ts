/** What a declared wait may be called (contract 08 §4.1). A dismissal accepts exactly what a declaration accepts. Pure. */

const KIND = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const ID = /^[A-Za-z0-9][A-Za-z0-9_.:@+/=-]{0,127}$/;

/** Which part is bad, in words; null when both will do. An id copied from a column that was cut carried an ellipsis once. */
export function checkWaitId(kind: string, id: string): string | null {
	if (!KIND.test(kind))
		return `bad kind '${kind}': a letter or digit, then letters, digits, \`_\` and \`-\`, at most 64`;
	if (!ID.test(id) || id.includes(".."))
		return `bad id '${id}': a letter or digit, then letters, digits and \`_.:@+/=-\`, at most 128, no \`..\``;
	return null;
}
