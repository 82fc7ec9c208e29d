// What the registry says of games, players and parameters, in French. The keys are the registry's exact English texts.

export const FRENCH: Record<string, string> = {
  // The titles of games and of their usual boards.
  'Chess': 'Échecs',
  'Quoridor': 'Quoridor',
  'Push-over': 'Push-over',
  'Minesweeper': 'Démineur',
  'Tic-tac-toe': 'Morpion',
  'Connect Four': 'Puissance 4',
  'Othello': 'Othello',
  'Standard': 'Classique',
  'Small': 'Petit',
  'Large': 'Grand',
  'Beginner': 'Débutant',
  'Intermediate': 'Intermédiaire',
  'Expert': 'Expert',
  'Without guesses': 'Sans hasard',
  'Corridor': 'Couloir',
  'Tournament': 'Tournoi',
  // Everything else, in the order of the alphabet.
  '1 = beginner … 10 = full strength, limited only by time, nodes or depth':
    '1 = débutant … 10 = pleine force, limitée seulement par time, nodes ou depth',
  '1 = beginner … 10 = full strength, one second per move': '1 = débutant … 10 = pleine force, une seconde par coup',
  'BFGS iterations, at most': 'itérations de BFGS, au plus',
  'Monte-Carlo tree search (UCT)': 'recherche arborescente de Monte-Carlo (UCT)',
  'a data base of labelled positions, instead of one made on the spot': 'une base de positions étiquetées, au lieu d’une base faite sur place',
  'a draw by the third repetition and fifty moves without progress, which a player may claim, or by the fifth and seventy-five':
    'nulle à la troisième répétition et après cinquante coups sans progrès, qu’un joueur peut réclamer, ou à la cinquième et après soixante-quinze',
  'a file of weights for the classic evaluation (those that come with the program, if none is given)':
    'un fichier de poids pour l’évaluation classique (ceux livrés avec le programme, si rien n’est donné)',
  'a game of this many moves is a draw (50 on 4×4, 100 on 5×5)': 'une partie de tant de coups est nulle (50 sur 4×4, 100 sur 5×5)',
  'a game of this many moves is a draw (four times the number of tiles)': 'une partie de tant de coups est nulle (quatre fois le nombre de cases)',
  'a game of this many plies is a draw (no limit if not given)': 'une partie de tant de coups est nulle (sans limite, si non donné)',
  'a learning game of this many moves is a draw (the referee\'s number, if not given)':
    'une partie d’apprentissage de tant de coups est nulle (le nombre de l’arbitre, si non donné)',
  'a network for boards of any size, taught by exact probabilities': 'un réseau pour plateaux de toute taille, instruit par des probabilités exactes',
  'a network taught by masked 5×5 sub-grids, for the player subgrids (Salamone 2018)':
    'un réseau instruit par des sous-grilles 5×5 masquées, pour le joueur subgrids (Salamone 2018)',
  'a network taught by the expert\'s games (Müller 1992)': 'un réseau instruit par les parties de l’expert (Müller 1992)',
  'a network that \'outplay train chess net\' made (the one that comes with the program)':
    'un réseau fait par « outplay train chess net » (celui livré avec le programme)',
  'a network that judges the 5×5 cells around each masked one (Salamone 2018)':
    'un réseau qui juge les 5×5 cases autour de chaque case masquée (Salamone 2018)',
  'a network that tells six classes of positions apart, for eval=net (ChessMate 2018)':
    'un réseau qui distingue six classes de positions, pour eval=net (ChessMate 2018)',
  'a network that tells six classes of positions apart; their expected worth (ChessMate 2018)':
    'un réseau qui distingue six classes de positions ; leur valeur moyenne (ChessMate 2018)',
  'a network to continue from, instead of a new one': 'un réseau à poursuivre, au lieu d’un nouveau',
  'a network trained by self-play': 'un réseau entraîné en jouant contre lui-même',
  'a network, taught by the expert\'s games or by itself': 'un réseau, instruit par les parties de l’expert ou par lui-même',
  'a plane for each kind and side, as the side that has moved sees the board, or the document\'s 64 numbers':
    'un plan par sorte de pièce et par camp, vus par le camp qui vient de jouer, ou les 64 nombres du document',
  'a set that \'outplay data chess\' made (the one that comes with the program)':
    'un ensemble fait par « outplay data chess » (celui livré avec le programme)',
  'a set that \'outplay data chess\' made, to be fitted to instead of games of the engine against itself':
    'un ensemble fait par « outplay data chess », auquel ajuster au lieu des parties du moteur contre lui-même',
  'a trained network (if none is given, the one that comes with the program)':
    'un réseau entraîné (si aucun n’est donné, celui livré avec le programme)',
  'a trained network (on 4×4, if none is given, the one that comes with the program)':
    'un réseau entraîné (sur 4×4, si aucun n’est donné, celui livré avec le programme)',
  'a trained network (what comes with the program for this board, if none is given)':
    'un réseau entraîné (celui livré pour ce plateau, si aucun n’est donné)',
  'activation of the hidden neurons': 'activation des neurones cachés',
  'alpha-beta over paths at ten levels': 'alpha-bêta sur les chemins, à dix niveaux',
  'batches, each of fresh positions': 'lots, chacun de positions nouvelles',
  'bounds between the six classes of evaluations': 'où finissent les six classes d’évaluations',
  'cells along an edge': 'cases le long d’un bord',
  'cells in a batch: 128 boards of 10×10': 'cases par lot : 128 plateaux de 10×10',
  'channels of each convolution': 'canaux de chaque convolution',
  'columns of the board': 'colonnes du plateau',
  'counts the pieces: queen 9.5, rook 5, bishop 3.5, knight 3, pawn 1 (ChessMate 2018)':
    'compte les pièces : dame 9,5, tour 5, fou 3,5, cavalier 3, pion 1 (ChessMate 2018)',
  'cuts these games after this many plies and asks the evaluator': 'coupe ces parties après tant de coups et interroge l’évaluateur',
  'decay of the eligibility trace per move': 'décroissance de la trace d’éligibilité à chaque coup',
  'dropout between dense layers during training': 'abandon (dropout) entre les couches denses pendant l’apprentissage',
  'epochs: passes over the training set': 'époques : passages sur l’ensemble d’entraînement',
  'exploration constant of UCT, for values from 0 to 1': 'constante d’exploration d’UCT, pour des valeurs de 0 à 1',
  'final value of alpha (constant if not given)': 'valeur finale d’alpha (constante si non donnée)',
  'final value of eps (constant if not given)': 'valeur finale d’eps (constante si non donnée)',
  'final value of noise (constant if not given)': 'valeur finale de noise (constante si non donnée)',
  'follows a network trained by self-play, looking one ply or more ahead':
    'suit un réseau qui s’est instruit lui-même, en regardant chaque coup ou plus loin',
  'follows a table learnt by self-play (without one, plays at random)': 'suit une table apprise en jouant contre soi (sans table, joue au hasard)',
  'full-width search to a fixed depth': 'recherche complète à profondeur fixe',
  'games after which eps-end, noise-end and alpha-end are reached (all if not given)':
    'parties au bout desquelles eps-end, noise-end et alpha-end sont atteints (toutes, si non donné)',
  'games between two checks, which are also the steps of the run': 'parties entre deux contrôles, qui sont aussi les pas de l’entraînement',
  'games from each leaf by random moves, by those that the evaluator expects or likes best, or its judgement of the leaf itself':
    'parties depuis chaque feuille par coups au hasard, par ceux que l’évaluateur attend ou préfère, ou son jugement de la feuille',
  'games of each check against the reference, colours alternating': 'parties de chaque contrôle contre la référence, couleurs alternées',
  'games of the engine against itself, unless a set is given': 'parties du moteur contre lui-même, sauf si un ensemble est donné',
  'games the expert plays against itself': 'parties de l’expert contre lui-même',
  'games to learn from': 'parties dont apprendre',
  'hidden neurons': 'neurones cachés',
  'hidden neurons (16 for cells, 30 for features)': 'neurones cachés (16 pour les cases, 30 pour les traits)',
  'how far weights are expected from those set by hand, in hundredths of a pawn':
    'à quelle distance des poids réglés à la main on attend les nouveaux, en centièmes de pion',
  'how many neighbours vote': 'combien de voisins votent',
  'how many of the best moves get a value, for analysis': 'combien des meilleurs coups reçoivent une valeur, pour l’analyse',
  'how many of the best moves get an exact value, for analysis': 'combien des meilleurs coups reçoivent une valeur exacte, pour l’analyse',
  'how much is searched before a guess; deep also plays out late guesses':
    'combien est examiné avant de deviner ; deep joue la suite des paris tardifs',
  'how the second seat learns, if not as the first does': 'comment le second joueur apprend, si ce n’est comme le premier',
  'independent trees whose visits are added up': 'arbres indépendants dont les visites s’additionnent',
  'iterative deepening with a transposition table': 'approfondissement itératif avec table de transpositions',
  'knows every end of the game, only its own win at once, or none: the evaluator judges the rest':
    'connaît toutes les fins de partie, seulement son gain immédiat, ou aucune : l’évaluateur juge le reste',
  'knows nothing': 'ne sait rien',
  'learning rate': 'taux d’apprentissage',
  'many sizes and densities, or those of the game that is named': 'beaucoup de tailles et de densités, ou celles du jeu nommé',
  'masked sub-grids in the training set': 'sous-grilles masquées dans l’ensemble d’entraînement',
  'masked sub-grids made of each one without a mask': 'sous-grilles masquées faites de chacune sans masque',
  'material, places, mobility, pawns, kings and threats': 'matériel, places, mobilité, pions, rois et menaces',
  'mines, fewer than cells': 'mines, moins que de cases',
  'neurons of the dense layers': 'neurones des couches denses',
  'neurons of the hidden layers': 'neurones des couches cachées',
  'number of first games whose moves are chosen by soft-max instead': 'premières parties où les coups sont tirés par soft-max',
  'pairs of convolutions': 'paires de convolutions',
  'planes of the two convolutions, each with a pool': 'plans des deux convolutions, chacune suivie d’un regroupement',
  'plays from the exact solution': 'joue d’après la solution exacte',
  'plays legal moves at random': 'joue des coups légaux au hasard',
  'plays to win: proven cells, forced guesses, exact endgames, guesses by what follows them':
    'joue pour gagner : cases prouvées, choix forcés, fins de partie exactes, paris selon ce qui les suit',
  'plies that players using the file look ahead (1, or as in from=); no effect on learning and checks':
    'demi-coups que regarderont les joueurs suivant le fichier (1, ou ce que dit from=) ; l’apprentissage et les contrôles ne le font pas',
  'plies the expert looks ahead': 'demi-coups que l’expert regarde',
  'plies to look ahead': 'demi-coups à regarder',
  'plies to look ahead (if no limit is given, as many as the game can afford)':
    'demi-coups à regarder (sans limite donnée, autant que le jeu le permet)',
  'plies to look ahead, with the network as the evaluator (as the file says, or 1)':
    'demi-coups à regarder avec le réseau pour juge (ce que dit le fichier, ou 1)',
  'positions drawn from the data base': 'positions tirées de la base',
  'positions in which each check counts the moves that keep the exact value (needs a board that can be solved)':
    'positions où chaque contrôle compte les coups qui gardent la valeur exacte (demande un plateau résoluble)',
  'positions per batch': 'positions par lot',
  'positions per move': 'positions par coup',
  'principal variation search over the classic evaluation, at ten levels':
    'recherche de la variante principale sur l’évaluation classique, à dix niveaux',
  'push pieces in from the edges; a full line of your own wins (Müller 1992)':
    'pousser des pions depuis les bords ; une ligne complète gagne (Müller 1992)',
  'random plies at the start of each game': 'coups au hasard au début de chaque partie',
  'random plies at the start of each game, or one more': 'demi-coups au hasard au début de chaque partie, ou un de plus',
  'reach the opposite row first; walls lengthen the other\'s way (INFO-F-106 2019)':
    'atteindre le premier la rangée opposée ; les murs allongent le chemin de l’autre (INFO-F-106 2019)',
  'rows of the board': 'lignes du plateau',
  'samples per batch': 'exemples par lot',
  'searches look at steps and at walls near pawns, ways and other walls, or at all moves':
    'les recherches regardent les pas et les murs proches des pions, des chemins et des autres murs, ou tous les coups',
  'self-play, Q-learning': 'contre soi-même, Q-learning',
  'self-play, TD(λ) with eligibility traces': 'contre soi-même, TD(λ) avec traces d’éligibilité',
  'self-play, Watkins\' Q(λ)': 'contre soi-même, Q(λ) de Watkins',
  'self-play, a table corrected after each move towards the next (TD(0))':
    'contre soi-même, une table corrigée après chaque coup vers le suivant (TD(0))',
  'self-play, a table corrected at the end of each game': 'contre soi-même, une table corrigée à la fin de chaque partie',
  'self-play, a table corrected towards the best move (Q-learning)': 'contre soi-même, une table corrigée vers le meilleur coup (Q-learning)',
  'sets of placements that one search of the endgame may look at, instead of the effort\'s own':
    'ensembles de dispositions qu’une recherche de finale peut examiner, au lieu de ceux de l’effort',
  'share of random moves': 'part de coups au hasard',
  'share of random moves in a check, of the learner and of a reference from a file':
    'part de coups au hasard lors d’un contrôle, de l’élève et d’une référence lue d’un fichier',
  'share of the set that is kept for the test': 'la part gardée pour le test',
  'simulations per move (1000 if no time is given)': 'simulations par coup (1000 si aucun temps n’est donné)',
  'size of the transposition table in MiB': 'taille de la table de transpositions en Mio',
  'size of the transposition table in MiB, rounded to a power of two (about 12 if not given)':
    'place pour la table de transpositions en Mio, par puissances de deux (environ 12 si non donné)',
  'squared error or cross-entropy': 'erreur quadratique ou entropie croisée',
  'standard deviation of the initial weights': 'écart-type des poids initiaux',
  'standard deviation of the noise added to the value of each move': 'écart-type de ce qui est ajouté à la valeur de chaque coup',
  'steps of the fit': 'pas de l’ajustement',
  'tables to continue from, instead of empty ones': 'tables à poursuivre, au lieu de tables vides',
  'taken off for a row or column one short of full whose end an enemy holds':
    'retiré pour une ligne à laquelle il manque une case et dont l’adversaire tient le bout',
  'temperature of soft-max': 'température de soft-max',
  'the board as the side that has moved sees it, with the balance of men, or the document\'s 64 numbers':
    'le plateau vu par le camp qui vient de jouer, avec le bilan des pièces, ou les 64 nombres du document',
  'the cell least likely mined, exactly, ties at random (Bourdet & Abadie 2025)':
    'la case la moins probablement minée, exactement, égalités au hasard (Bourdet & Abadie 2025)',
  'the first cell is empty, has no mined neighbour either, or may be anything':
    'la première case est vide, n’a pas non plus de voisine minée, ou peut être n’importe quoi',
  'the game of kings, by the laws of FIDE; also Chess960 (ChessMate 2018)':
    'le jeu des rois, selon les règles de la FIDE ; aussi Chess960 (ChessMate 2018)',
  'the hand-written evaluation of 1982 and 1992': 'l’évaluation écrite à la main de 1982 et 1992',
  'the highest learning rate': 'le plus haut taux d’apprentissage',
  'the learning rate (the optimiser\'s own: 0.001, for sgd 0.01)': 'le taux d’apprentissage (celui de l’optimiseur : 0,001, pour sgd 0,01)',
  'the learning rate of Adam': 'le taux d’apprentissage d’Adam',
  'the length of a step, in hundredths of a pawn': 'la longueur d’un pas, en centièmes de pion',
  'the loss to minimise': 'la perte à minimiser',
  'the move that looks best after one ply': 'le coup qui paraît le meilleur à un demi-coup',
  'the optimiser': 'l’optimiseur',
  'the order of empty (NoBM) and mined (BM) centres': 'l’ordre des centres vides (NoBM) et minés (BM)',
  'the positions of a set that look most alike, and what they were worth (ChessMate 2018)':
    'les positions d’un ensemble qui ressemblent le plus, et ce qu’elles valaient (ChessMate 2018)',
  'the second seat\'s learning rate, if not the first\'s': 'le taux d’apprentissage du second joueur, si ce n’est celui du premier',
  'the second seat\'s share of random moves, if not the first\'s': 'la part de coups au hasard du second joueur, si ce n’est celle du premier',
  'the share of sub-grids with a mined centre': 'la part de sous-grilles à centre miné',
  'the share of the games\' results in what is fitted, the rest being what the searches expected':
    'la part du résultat des parties dans ce qui est ajusté, le reste étant ce que les recherches attendaient',
  'the start position of Chess960 with this number; 518 is the usual one':
    'la position de départ de Chess960 portant ce numéro ; 518 est l’habituelle',
  'the weights of the classic evaluation, fitted to games of the engine or to a set of judged positions':
    'les poids de l’évaluation classique, ajustés à des parties du moteur ou à un ensemble de positions jugées',
  'threads that share a table, at most one for each core (one in the studio\'s jobs); with more than one, play may differ from run to run':
    'fils d’exécution qui partagent une table, au plus un par cœur (un seul dans les travaux du studio) ; à plusieurs, le jeu peut différer d’une fois à l’autre',
  'tiles along an edge (9, or 5 with a named board)': 'cases le long d’un bord (9, ou 5 avec un plateau nommé)',
  'time per move': 'temps par coup',
  'time per move (1s if no limit is given)': 'temps par coup (1s si aucune limite n’est donnée)',
  'unmask every empty cell; numbers count the mined neighbours (Salamone 2018, Bourdet & Abadie 2025)':
    'dévoiler toutes les cases vides ; les chiffres comptent les voisines minées (Salamone 2018, Bourdet & Abadie 2025)',
  'walls already placed: by name a board of 5×5, or one by one': 'murs déjà posés : par son nom un plateau de 5×5, ou un par un',
  'walls that each player has in hand (an eighth of the tiles: 10 on 9×9, 3 on 5×5; none with board=)':
    'murs que chaque joueur a en main (un huitième des cases : 10 sur 9×9, 3 sur 5×5 ; aucun avec board=)',
  'weight of one\'s own lines': 'poids de ses propres lignes',
  'weight of the enemy\'s lines': 'poids des lignes de l’adversaire',
  'what an earlier training learnt, as the reference (a player of random moves if none is given)':
    'ce qu’un entraînement précédent a appris, comme référence (un joueur au hasard si rien n’est donné)',
  'what the network sees': 'ce que voit le réseau',
  'what the network sees: 16 cells or 44 features': 'ce que voit le réseau : 16 cases ou 44 traits',
  'what was learnt (what comes with the program, if none is given)': 'ce qui a été appris (ce qui est livré avec le programme, si rien n’est donné)',
  'whether a move that ends the game is judged like any other (as in the document) or worth its result':
    'si un coup qui finit la partie est jugé comme un autre (comme dans le document) ou vaut son résultat',
  'whether a repeated position ends a learning game as the referee says; no document\'s does':
    'si une position répétée finit une partie d’apprentissage comme le dit l’arbitre ; dans aucun document',
  'whether boards may need guesses; without, every step from the first cell on can be proven':
    'si les plateaux peuvent demander de deviner ; sinon chaque pas peut être prouvé dès la première case',
  'whether each epoch goes through the set in an order of its own, as Keras does':
    'si chaque époque parcourt l’ensemble dans un ordre à elle, comme Keras',
  'whether it uses flags, on the board or in its head (as the network was taught)':
    's’il use de drapeaux, sur le plateau ou en tête (comme le réseau fut instruit)',
  'whether mines may be flagged': 'si les mines peuvent être marquées',
  'whether players may place flags (Fc7, Uc7) and chord (Cc7) besides unmasking (c7)':
    'si les joueurs peuvent poser des drapeaux (Fc7, Uc7) et ouvrir autour (Cc7) en plus de dévoiler (c7)',
  'whether the same sub-grid without a mask may occur twice': 'si la même sous-grille sans masque peut venir deux fois',
  'whether whole games are kept for the test, or positions of games that are learnt from, as in the document':
    'si l’on garde pour le test des parties entières, ou des positions de parties apprises, comme dans le document',
  'who chooses the first cell: the network, or chance': 'qui choisit la première case : le réseau, ou le hasard',
  'who is nearer to the goal, and who has more walls in hand': 'qui est plus près du but, et qui a plus de murs en main',
  'whose evaluation is learnt: that of the side that has moved, or White\'s': 'de qui l’évaluation est apprise : du camp qui a joué, ou des Blancs',
  'whose won games the positions come from': 'de quelles parties gagnées viennent les positions',
  'wins as often as anyone can, on tiny boards': 'gagne aussi souvent qu’il est possible, sur de tout petits plateaux',
  'with flags: how much rather it unmasks than flags; 1 is neutral': 'avec drapeaux : combien il préfère dévoiler à marquer ; 1 est neutre',
  'with flags: what a prediction must exceed for a flag': 'avec drapeaux : ce qu’une prédiction doit dépasser pour un drapeau',
  'worth of a pawn, in thousandths of log-odds': 'valeur d’un pion, en millièmes de log-cote',
  'worth of a step, in thousandths of log-odds': 'valeur d’un pas, en millièmes de log-cote',
  'worth of a wall in hand, in thousandths of log-odds': 'valeur d’un mur en main, en millièmes de log-cote',
  'cells that would complete a line, discs near the middle': 'cases qui compléteraient une ligne, jetons près du centre',
  'corners, moves to choose from, and at the end discs': 'coins, nombre de coups possibles, et à la fin les pions',
  'drop discs into columns; four in line win': 'laissez tomber des jetons dans les colonnes ; quatre alignés gagnent',
  'how positions are evaluated; the evaluator\'s own parameters may follow': 'comment les positions sont évaluées ; les paramètres de l’évaluateur peuvent suivre',
  'three in a row win; best play is a draw': 'trois alignés gagnent ; le meilleur jeu est nul',
  'turn the discs between yours; most discs win': 'retournez les pions entre les vôtres ; le plus de pions gagne',
};
