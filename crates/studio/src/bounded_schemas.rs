//! The shapes of texts, lists and numbers of requests that have limits, made from the limits themselves, and of answers that are not
//! JSON.
//!
//! Like the types of [`crate::schemas`] these only describe, and no value of them is ever made.

use std::borrow::Cow;

use serde_json::json;
use utoipa::openapi::extensions::ExtensionsBuilder;
use utoipa::openapi::schema::{KnownFormat, SchemaFormat};
use utoipa::openapi::{ArrayBuilder, ObjectBuilder, OneOfBuilder, Ref, RefOr, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::bounds;

/// Declares types that have a name and a schema.
macro_rules! described {
    ($($(#[$doc:meta])* $type:ident as $name:literal = $schema:expr;)+) => {$(
        $(#[$doc])*
        pub(crate) enum $type {}

        impl PartialSchema for $type {
            fn schema() -> RefOr<Schema> {
                RefOr::T(Schema::from($schema))
            }
        }

        impl ToSchema for $type {
            fn name() -> Cow<'static, str> {
                Cow::Borrowed($name)
            }
        }
    )+};
}

fn text(description: &str) -> ObjectBuilder {
    ObjectBuilder::new().schema_type(Type::String).description(Some(description))
}

fn seconds(least: f64, most: f64, description: &str) -> ObjectBuilder {
    let number = ObjectBuilder::new().schema_type(Type::Number).description(Some(description));
    let double = SchemaFormat::KnownFormat(KnownFormat::Double);
    number.format(Some(double)).minimum(Some(least)).maximum(Some(most))
}

fn knockout_sizes() -> impl Iterator<Item = u32> {
    (1..).map(|rounds| 1 << rounds).take_while(|&places| places <= bounds::KNOCKOUT_PLACES)
}

/// JSON lines: OpenAPI 3.1 sees a text. The schema of a line is added as `x-line`.
fn lines(line: &str, description: &str) -> ObjectBuilder {
    let line = ExtensionsBuilder::new().add("x-line", json!(Ref::from_schema_name(line)));
    text(description).extensions(Some(line.build()))
}

described! {
    /// A game, a player or a method.
    SpecSchema as "Spec" = text("A name with parameters, as on the command line.")
        .max_length(Some(bounds::SPEC_LENGTH));
    /// Moves that a game begins with.
    MovesSchema as "Moves" = ArrayBuilder::new()
        .items(ObjectBuilder::new().schema_type(Type::String))
        .max_items(Some(bounds::MOVES))
        .description(Some("Moves in the game's notation."));
    /// The players at a table.
    SeatsSchema as "Seats" = ArrayBuilder::new()
        .items(Ref::from_schema_name("Spec"))
        .min_items(Some(1))
        .max_items(Some(2))
        .description(Some("The players, seat by seat."));
    /// The players of a tournament.
    EntrantsSchema as "Entrants" = ArrayBuilder::new()
        .items(Ref::from_schema_name("Spec"))
        .min_items(Some(1))
        .max_items(Some(bounds::TOURNAMENT_PLAYERS))
        .unique_items(true)
        .description(Some("Different players."));
    /// The size of a final.
    KnockoutSchema as "KnockoutPlaces" = ObjectBuilder::new()
        .schema_type(Type::Integer)
        .enum_values(Some(knockout_sizes()))
        .description(Some("Places in a final."));
    /// The time at the start.
    ClockSchema as "ClockSeconds" = seconds(1.0, bounds::CLOCK_SECONDS, "Seconds at the start.");
    /// The time added after each move.
    IncrementSchema as "IncrementSeconds" = seconds(0.0, bounds::INCREMENT_SECONDS, "Seconds added after each move.");
    /// The name of an upload.
    TitleSchema as "Title" = text("A name to show, cut where it is too long.").min_length(Some(1));
    /// A 64-bit number as it is read.
    WideInputSchema as "WideInput" = OneOfBuilder::new()
        .item(Ref::from_schema_name("Wide"))
        .item(ObjectBuilder::new().schema_type(Type::Integer))
        .description(Some("A 64-bit number as a text or a number."));
    /// The bytes of a file.
    BytesSchema as "Bytes" = ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)));
    /// An opinion as it grows.
    ThoughtLinesSchema as "ThoughtLines" = lines("ThoughtLine", "JSON lines: the opinion as it grows.");
    /// The values of a game.
    GraphLinesSchema as "GraphLines" = lines("GraphLine", "JSON lines: one position each.");
    /// The records of an artefact.
    RecordLinesSchema as "RecordLines" = lines("RecordLine", "JSON lines: one record each.");
}
