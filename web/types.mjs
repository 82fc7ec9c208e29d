// Makes the types of what the server says from its description: openapi.json, which `cargo xtask openapi` writes.
// The file is only touched when it changes, because cargo builds the page again whenever a source is newer.

import { readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';

const made = new URL('src/lib/api-types.ts', import.meta.url);
const text = astToString(await openapiTS(new URL('openapi.json', import.meta.url)));
const known = await readFile(made, 'utf8').catch(() => '');
if (text !== known) await writeFile(made, text);
