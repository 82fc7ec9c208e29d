// What the registry says of games, players and parameters, in French.

export const FRENCH: Record<string, string> = {};
