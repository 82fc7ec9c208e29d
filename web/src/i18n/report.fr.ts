// The frame of a report in French: headings, verdicts, columns. What a document's measurements are called stays as the record has it.

import type { Pair } from './sentences';

export const REPORT: readonly Pair[] = [
  ['How the numbers are made', 'Comment les nombres sont faits'],
  ['Deviations', 'Écarts'],
  ['artefact', 'résultat'],
  ['verdict', 'verdict'],
  ['published', 'publié'],
  ['difference', 'différence'],
  ['allowed', 'permis'],
  ['95% interval', 'intervalle à 95\u202f%'],
  ['sd of networks', 'écart type des réseaux'],
  ['sd by chance', 'écart type du hasard'],
  ['ours, {0}', 'le nôtre, {0}'],
  ['ours', 'le nôtre'],
  ['games', 'parties'],
  ['networks', 'réseaux'],
  ['positions', 'positions'],
  ['boards', 'plateaux'],
  ['reproduced', 'reproduit'],
  ['differs', 'diffère'],
  ['measured', 'mesuré'],
  ['not run', 'non lancé'],
  ['{0} ({1} of {2} agree)', '{0} ({1} sur {2} en accord)'],
  [
    'Scale {0}, seed {1}. Everything below is made by {2}; the numbers follow from the seed alone{3}',
    'Échelle {0}, graine {1}. Tout ce qui suit est fait par {2} ; les nombres ne dépendent que de la graine{3}',
  ],
  [', but for those of {0}, which depend on the clock.', ', sauf ceux de {0}, qui dépendent de la pendule.'],
  ['`{0}` and `{1}`', '`{0}` et `{1}`'],
];
