// Reads and writes what is sent. Law: numbers of 64 bits (seeds, set-ups) are more than a page's numbers hold, so here they are texts.

const LARGE = /"(setup|seed)":\s*(\d{16,})/g;
const DIGITS = /"(setup|seed)":"(\d+)"/g;

export const readJson = (text: string): unknown => JSON.parse(text.replace(LARGE, '"$1":"$2"'));

export const writeJson = (value: unknown): string => JSON.stringify(value).replace(DIGITS, '"$1":$2');
