//! The description of the API: what the routes declare, completed by what holds for all of them.
//!
//! A route declares its input and what it answers when all goes well. The refusals that it may give follow from its input, and the
//! range of a whole number from its type, so no route lists them.

use std::collections::{BTreeMap, BTreeSet};

use axum::http::StatusCode;
use serde_json::{Value, json};
use utoipa::openapi::path::{Operation, ParameterIn};
use utoipa::openapi::{
    AllOfBuilder, Content, ObjectBuilder, OpenApi, Ref, RefOr, Required, Response, ResponseBuilder, Schema,
    Type,
};

use crate::refusal::Code;

/// The bodies that may name a table.
const SUBJECTS: [&str; 2] = ["#/components/schemas/Subject", "#/components/schemas/ReviewRequest"];

/// The whole description as JSON, given what the routes declare.
pub(crate) fn complete(mut api: OpenApi) -> Value {
    add_refusals(&mut api);
    relax_bodies(&mut api);
    let mut document = serde_json::to_value(api).expect("a description is plain data");
    add_ranges(&mut document);
    close_alternatives(&mut document);
    write_lists_as_json(&mut document);
    // A studio with a token needs it for every request, one without takes none.
    document["components"]["securitySchemes"] = json!({ "token": { "type": "http", "scheme": "bearer" } });
    document["security"] = json!([{}, { "token": [] }]);
    document
}

/// Adds the refusals to all operations.
fn add_refusals(api: &mut OpenApi) {
    let mut codes: BTreeMap<StatusCode, Vec<Code>> = BTreeMap::new();
    for code in Code::ALL {
        codes.entry(code.status()).or_default().push(code);
    }
    let shared = codes.iter().map(|(&status, codes)| (response_name(status), refusal_response(codes).into()));
    api.components.get_or_insert_default().responses.extend(shared);
    for item in api.paths.paths.values_mut() {
        for (operation, is_change) in
            [(&mut item.get, false), (&mut item.post, true), (&mut item.delete, true)]
        {
            let Some(operation) = operation else { continue };
            let statuses: BTreeSet<StatusCode> =
                refusals(operation, is_change).into_iter().map(Code::status).collect();
            for status in statuses {
                let response = RefOr::Ref(Ref::from_response_name(response_name(status)));
                operation.responses.responses.insert(status.as_str().to_owned(), response);
            }
        }
    }
}

/// What is read in one of several shapes, which know no other fields.
const ALTERNATIVES: [&str; 5] = ["Subject", "MoveRequest", "Request", "Shape", "Touch"];

/// Says that these shapes know no other fields, as utoipa says of a single shape only.
fn close_alternatives(document: &mut Value) {
    for name in ALTERNATIVES {
        let shapes = document["components"]["schemas"][name]["oneOf"].as_array_mut();
        for shape in shapes.into_iter().flatten().filter(|shape| shape["type"] == "object") {
            shape["additionalProperties"] = json!(false);
        }
    }
}

/// A list in the address is written as JSON.
fn write_lists_as_json(document: &mut Value) {
    let paths = document["paths"].as_object_mut().into_iter().flat_map(|paths| paths.values_mut());
    let operations = paths.filter_map(Value::as_object_mut).flat_map(|operations| operations.values_mut());
    let parameters = operations.filter_map(|operation| operation.get_mut("parameters")?.as_array_mut());
    for parameter in parameters.flatten().filter_map(Value::as_object_mut) {
        if parameter["schema"]["type"] == "array" {
            let schema = parameter.remove("schema");
            parameter.insert("content".to_owned(), json!({ "application/json": { "schema": schema } }));
        }
    }
}

/// Where every field of a body is optional, so is the body.
fn relax_bodies(api: &mut OpenApi) {
    let schemas = api.components.iter().flat_map(|components| &components.schemas);
    let is_optional = |(_, schema): &(&String, &RefOr<Schema>)| matches!(schema, RefOr::T(Schema::Object(object)) if object.required.is_empty() && !object.properties.is_empty());
    let optional: Vec<Ref> =
        schemas.filter(is_optional).map(|(name, _)| Ref::from_schema_name(name)).collect();
    let posts = api.paths.paths.values_mut().filter_map(|item| item.post.as_mut());
    for body in posts.filter_map(|post| post.request_body.as_mut()) {
        let is_optional = |content: &Content| matches!(&content.schema, Some(RefOr::Ref(schema)) if optional.contains(schema));
        if body.content.values().all(is_optional) {
            body.required = Some(Required::False);
        }
    }
}

/// The refusals that an operation may give.
fn refusals(operation: &Operation, is_change: bool) -> Vec<Code> {
    let mut codes = vec![Code::Token, Code::Throttled, Code::Foreign, Code::Failed];
    let parameters = operation.parameters.as_deref().unwrap_or_default();
    let is_socket = operation.responses.responses.contains_key("101");
    if is_socket {
        codes.extend([Code::Malformed, Code::Busy]);
    }
    if !parameters.is_empty() || operation.request_body.is_some() {
        codes.extend([Code::Malformed, Code::Refused]);
    }
    if parameters.iter().any(|parameter| parameter.parameter_in == ParameterIn::Path)
        || names_table(operation)
    {
        codes.push(Code::Unknown);
    }
    if operation.request_body.is_some() {
        codes.push(Code::TooLarge);
    }
    if is_change {
        codes.extend([Code::Stale, Code::Busy]);
    }
    codes
}

fn names_table(operation: &Operation) -> bool {
    let contents = operation.request_body.iter().flat_map(|body| body.content.values());
    let is_subject = |content: &Content| match &content.schema {
        Some(RefOr::Ref(schema)) => SUBJECTS.contains(&schema.ref_location.as_str()),
        _ => false,
    };
    contents.into_iter().any(is_subject)
}

/// The name of the shared response, such as `NotFound`.
fn response_name(status: StatusCode) -> String {
    status.canonical_reason().unwrap_or_default().replace(' ', "")
}

/// A refusal with one of these codes.
fn refusal_response(codes: &[Code]) -> Response {
    let meanings: Vec<&str> = codes.iter().map(|code| code.meaning()).collect();
    let one_of_these = ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(codes.iter().map(|code| json!(code))));
    let refusal = ObjectBuilder::new().property("code", one_of_these);
    let body = AllOfBuilder::new()
        .item(Ref::from_schema_name("ErrorBody"))
        .item(ObjectBuilder::new().property("error", refusal));
    let content = Content::new(Some(RefOr::T(Schema::from(body))));
    ResponseBuilder::new().description(meanings.join(" ")).content("application/json", content).build()
}

/// Adds the range of every whole number that has none of its own: that of its type, which the format names.
fn add_ranges(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(add_ranges),
        Value::Object(fields) => {
            let is_whole = match &fields.get("type") {
                Some(Value::String(name)) => name == "integer",
                Some(Value::Array(names)) => names.contains(&json!("integer")),
                _ => false,
            };
            if is_whole && !fields.contains_key("enum") {
                // utoipa writes "u-int8" where the registry of formats has "uint8".
                let format =
                    fields.get("format").and_then(Value::as_str).map(|name| name.replace("u-int", "uint"));
                let (min, max) = match format.as_deref() {
                    Some("uint8") => (json!(0), json!(u8::MAX)),
                    Some("uint32") => (json!(0), json!(u32::MAX)),
                    Some("int32") => (json!(i32::MIN), json!(i32::MAX)),
                    Some("int64") => (json!(i64::MIN), json!(i64::MAX)),
                    _ => (json!(0), json!(u64::MAX)),
                };
                fields.entry("minimum").or_insert(min);
                fields.entry("maximum").or_insert(max);
                fields.extend(format.map(|format| ("format".to_owned(), json!(format))));
            }
            fields.values_mut().for_each(add_ranges);
        }
        _ => {}
    }
}
