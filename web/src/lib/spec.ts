// Names with parameters, as on the command line: `name` or `name:key=value,…`; a comma within a value is `\,`.

export interface Spec {
  name: string;
  values: Record<string, string>;
}

export function readSpec(text: string): Spec {
  const colon = text.indexOf(':');
  if (colon < 0) return { name: text, values: {} };
  const pairs = text.slice(colon + 1).match(/(?:\\,|[^,])+/g) ?? [];
  const values: Record<string, string> = {};
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    if (equals > 0) values[pair.slice(0, equals)] = pair.slice(equals + 1).replaceAll('\\,', ',');
  }
  return { name: text.slice(0, colon), values };
}

export function writeSpec({ name, values }: Spec): string {
  const pairs = Object.entries(values).filter(([, value]) => value !== '');
  if (pairs.length === 0) return name;
  return `${name}:${pairs.map(([key, value]) => `${key}=${value.replaceAll(',', '\\,')}`).join(',')}`;
}
