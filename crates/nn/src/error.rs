//! The errors of architectures, data, training and checkpoints; those of files are beside the file formats. Each is
//! one sentence that names the offending value.

use outplay_core::errors;

errors! {
    /// Sizes, activations or weights that do not make a network.
    #[derive(Clone, PartialEq, Eq)]
    pub enum ShapeError {
        TooFewSizes { found: usize } =
            "a network needs at least two layer sizes, not {found}"
            | "un réseau demande au moins deux tailles de couches, et non {found}",
        EmptyLayer { layer: usize } = "layer {layer} has no neurons" | "la couche {layer} n’a pas de neurones",
        TooLarge { sizes: Vec<usize> } =
            "layer sizes [{sizes}] make too many weights" | "les tailles de couches [{sizes}] font trop de poids",
        ParameterCount { expected: usize, found: usize } =
            "the network has {expected} parameters, not {found}" | "le réseau a {expected} paramètres, et non {found}",
        NotFinite { parameter: usize } =
            "parameter {parameter} is not finite" | "le paramètre {parameter} n’est pas fini",
        /// A square without a middle.
        EvenSide { side: usize } =
            "a convolution needs a square of odd side, not {side}"
            | "une convolution demande un carré de côté impair, et non {side}",
        Mixed =
            "dense layers come after convolutions only behind a `flatten`, and no convolution comes after them"
            | "des couches denses ne suivent des convolutions qu’après un `flatten`, et aucune convolution ne les suit",
        Misplaced { layer: String } =
            "`{layer}` cannot stand there: a pool follows a convolution, a flatten a convolution or its pool, a drop any of \
             them or a dense layer, a residual layer none of these three, and none of these three comes last"
            | "`{layer}` ne peut être là : un pool suit une convolution, un flatten une convolution ou son pool, un drop l’un \
               d’eux ou une couche dense, une couche résiduelle aucun de ces trois, et aucun de ces trois n’est le dernier",
        NotALayer { text: String } =
            "`{text}` is no layer: a plan reads `25 | dense 300 relu | dense 1 sigmoid` or \
             `12 | conv 64 side 3 relu | residual side 3 relu | conv 1 side 1 identity`, with `pool 2`, `flatten 4 4` and \
             `drop 200` (thousandths) behind them"
            | "`{text}` n’est pas une couche : un plan s’écrit `25 | dense 300 relu | dense 1 sigmoid` ou \
               `12 | conv 64 side 3 relu | residual side 3 relu | conv 1 side 1 identity`, avec `pool 2`, `flatten 4 4` et \
               `drop 200` (millièmes) à la suite",
        NotDense { plan: String } =
            "`{plan}` sees boards, not plain numbers" | "`{plan}` voit des plateaux, et non de simples nombres",
        NotSparse { plan: String } =
            "`{plan}` does not learn online: expected a network such as `39 | sparse 40 sigmoid no-bias | dense 1 sigmoid no-bias`"
            | "`{plan}` n’apprend pas en ligne : attendu un réseau tel que `39 | sparse 40 sigmoid no-bias | dense 1 sigmoid no-bias`",
        NotPolicyValue { text: String } =
            "`{text}` is no policy–value network: expected a plan such as `354 | sparse 256 squared | value 32 | policy 209`"
            | "`{text}` n’est pas un réseau politique–valeur : attendu un plan tel que `354 | sparse 256 squared | value 32 | policy 209`",
        NotAMultiple { width: usize, unit: usize } =
            "a policy–value network needs layers of a multiple of {unit} neurons, not {width}"
            | "un réseau politique–valeur demande des couches d’un multiple de {unit} neurones, et non {width}",
        /// Sums of 16-bit integers would overflow.
        SumsTooLarge { neuron: usize } =
            "the weights to hidden neuron {neuron} are too large for 16-bit integers"
            | "les poids vers le neurone caché {neuron} sont trop grands pour des entiers de 16 bits",
        NotOneOutput { outputs: usize } =
            "a network with {outputs} outputs gives no single value"
            | "un réseau à {outputs} sorties ne donne pas une valeur unique",
    }

    /// Numbers that do not make a data set.
    #[derive(Clone, PartialEq, Eq)]
    pub enum DatasetError {
        Empty =
            "a data set needs at least one sample with an input and a target"
            | "un ensemble demande au moins un exemple avec une entrée et une cible",
        Ragged { inputs: usize, targets: usize, inputs_each: usize, targets_each: usize } =
            "{inputs} inputs and {targets} targets do not make whole samples of {inputs_each} and {targets_each}"
            | "{inputs} entrées et {targets} cibles ne font pas des exemples entiers de {inputs_each} et {targets_each}",
        NotFinite { sample: usize } =
            "sample {sample} holds a number that is not finite" | "l’exemple {sample} contient un nombre qui n’est pas fini",
    }

    /// Training that cannot begin or go on.
    #[derive(Clone, PartialEq)]
    pub enum TrainError {
        Mismatch { network_inputs: usize, network_outputs: usize, inputs: usize, targets: usize } =
            "the network maps {network_inputs} to {network_outputs} numbers, the data {inputs} to {targets}"
            | "le réseau mène de {network_inputs} à {network_outputs} nombres, les données de {inputs} à {targets}",
        NotDense { plan: String } =
            "BFGS trains dense layers with biases only, not `{plan}`"
            | "BFGS n’entraîne que des couches denses avec biais, et non `{plan}`",
        NeedsSigmoid { activation: &'static str } =
            "cross-entropy cannot be taken of {activation} outputs, only of sigmoid ones (or identity, in mini-batches)"
            | "l’entropie croisée ne se prend pas sur des sorties {activation}, mais sur des sigmoid (ou identity, par petits lots)",
        NeedsSums { activation: &'static str } =
            "classes cannot be told from {activation} outputs, only from identity ones, in mini-batches"
            | "des classes ne se distinguent pas par des sorties {activation}, mais par des identity, par petits lots",
        NotProbability { target: f64 } =
            "cross-entropy needs targets from 0 to 1, not {target}"
            | "l’entropie croisée demande des cibles de 0 à 1, et non {target}",
        Tolerance { tolerance: f64 } =
            "a tolerance must be zero or more, not {tolerance}" | "une tolérance doit être d’au moins zéro, et non {tolerance}",
        /// The inverse Hessian would not fit in memory.
        TooManyParameters { limit: usize, found: usize } =
            "BFGS takes at most {limit} parameters, not {found}" | "BFGS prend {limit} paramètres au plus, et non {found}",
        NotFinite =
            "the loss of the first network is not finite" | "la perte du premier réseau n’est pas finie",
        Solver { reason: String } = "the solver failed: {reason}" | "l’optimiseur a échoué : {reason}",
        NoPoint = "the solver failed: it returned no point" | "l’optimiseur a échoué : il n’a rendu aucun point",
        Checkpoint { reason: CheckpointError } = "{reason}" | "{reason}",
    }

    /// Bytes that are not the checkpoint wanted.
    #[derive(Clone, PartialEq, Eq)]
    pub enum CheckpointError {
        NotACheckpoint =
            "this is not a checkpoint of this kind of training and this version"
            | "ce n’est pas un point de reprise de cette sorte d’entraînement et de cette version",
        Checksum =
            "the checkpoint is damaged: its checksum does not match"
            | "le point de reprise est abîmé : sa somme de contrôle n’est pas la bonne",
        Field { field: &'static str } =
            "the checkpoint is damaged in its {field}" | "le point de reprise est abîmé dans son champ « {field} »",
        Shape { reason: ShapeError } =
            "the checkpoint holds no network: {reason}" | "le point de reprise ne contient pas de réseau : {reason}",
        OtherNetwork =
            "the checkpoint was made with another network" | "le point de reprise a été fait avec un autre réseau",
        OtherLoss = "the checkpoint was made with another loss" | "le point de reprise a été fait avec une autre perte",
        OtherOptimiser =
            "the checkpoint was made with another optimiser" | "le point de reprise a été fait avec un autre optimiseur",
        OtherData =
            "the checkpoint was made with other training data" | "le point de reprise a été fait avec d’autres données",
    }
}

impl From<CheckpointError> for TrainError {
    fn from(reason: CheckpointError) -> Self {
        Self::Checkpoint { reason }
    }
}

impl From<ShapeError> for CheckpointError {
    fn from(reason: ShapeError) -> Self {
        Self::Shape { reason }
    }
}
