/** Numbers as operators write them, and as programs must print them (contract 07 §3, §4). */

/** An integral number, or a quoted one (`'60'`); `60.5`, `1_000` and `false` are not. */
export function integerOf(raw: unknown): number | null {
	if (typeof raw === "string" && /^[+-]?[0-9]+$/.test(raw)) raw = Number(raw);
	return typeof raw === "number" && Number.isSafeInteger(raw) ? raw + 0 : null;
}

/** A finite number, or the text of one. */
export function numberOf(raw: unknown): number | null {
	if (typeof raw === "string" && /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)$/.test(raw))
		raw = Number(raw);
	return typeof raw === "number" && Number.isFinite(raw) ? raw + 0 : null;
}

/** Decimal, without exponent; integral floats without `.0`. */
export function plainNumber(value: number): string {
	if (Number.isInteger(value)) return BigInt(value).toString();
	const [mantissa = "", exponent] = String(value).split("e-");
	if (exponent === undefined) return mantissa;
	const fraction = mantissa.split(".")[1] ?? "";
	return value.toFixed(Math.min(100, fraction.length + Number(exponent)));
}
